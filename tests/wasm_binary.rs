//! Binaries of WebAssembly, part by part, for shapes that the text format does not write.

/// The beginning of a core module.
pub(crate) const MODULE: [u8; 8] = *b"\0asm\x01\0\0\0";

/// A number in LEB128.
pub(crate) fn leb(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(byte);
            return bytes;
        }
        bytes.push(byte | 0x80);
    }
}

/// A section with its length.
pub(crate) fn section(id: u8, bytes: &[u8]) -> Vec<u8> {
    [vec![id], leb(bytes.len() as u64), bytes.to_vec()].concat()
}

/// A component of these sections.
pub(crate) fn component(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut wasm = b"\0asm\x0d\0\x01\0".to_vec();
    for (id, bytes) in sections {
        wasm.extend(section(*id, bytes));
    }
    wasm
}

/// A core module of types, and functions with the index of their type.
pub(crate) fn core_module(types: &[Vec<u8>], functions: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut code = leb(functions.len() as u64);
    for (_, body) in functions {
        code.extend(leb(body.len() as u64));
        code.extend(body);
    }
    let indices: Vec<u8> = functions.iter().map(|(ty, _)| *ty).collect();
    [
        MODULE.to_vec(),
        section(1, &[leb(types.len() as u64), types.concat()].concat()),
        section(3, &[leb(indices.len() as u64), indices].concat()),
        section(10, &code),
    ]
    .concat()
}
