//! Exports as the Canonical ABI has them, where an answer can be changed after it
//! was lowered into memory.
//!
//! `export!` takes the functions of an export from here: those of `wit-bindgen`, but
//! for the ones that this module replaces.

pub(crate) use crate::bindings::__export_world_python_cabi;
pub(crate) use crate::bindings::_export_prepare_cabi;

/// The most of a return area that holds the pointers of an answer, in bytes.
const AREA_BYTES: usize = 240;

/// Changes an answer where it lies, as the script says:
/// `poke OFFSET VALUE` writes 32 bits; `alias LENGTH STRIDE OFFSET BYTES` finds the
/// list with so many elements and gives all of them one text of so many bytes.
fn changed(export: &str, area: *mut u8) -> *mut u8 {
    let mut moved = area;
    crate::lowered(export, |name, [one, two, three, four]| {
        // SAFETY: the area is larger than what is read and written here, as all
        // areas are one static; a script that names other places wants a trap.
        unsafe {
            match name {
                "poke" => area
                    .wrapping_add(one as usize)
                    .cast::<u32>()
                    .write_unaligned(two as u32),
                "alias" => {
                    let [length, stride, offset] = [one, two, three].map(|number| number as usize);
                    let text = "x".repeat(four as usize).leak();
                    alias(area, text, length, stride, offset)
                }
                "moved" => moved = one as usize as *mut u8,
                _ => {}
            }
        }
    });
    moved
}

unsafe fn alias(area: *mut u8, text: &str, length: usize, stride: usize, offset: usize) {
    for at in (4..AREA_BYTES).step_by(4) {
        let words = area.wrapping_add(at).cast::<usize>();
        // SAFETY: within the return area.
        let (first, found) = unsafe { (words.wrapping_sub(1).read() as *mut u8, words.read()) };
        if found != length {
            continue;
        }
        for index in 0..length {
            let to = first.wrapping_add(offset + index * stride);
            // SAFETY: the element is one of the list.
            unsafe {
                to.cast::<[usize; 2]>()
                    .write([text.as_ptr() as usize, text.len()])
            };
        }
        return;
    }
}

pub(crate) mod exports {
    //! The path that `export!` expects.
    pub(crate) mod rlm {
        //! The package's namespace.
        pub(crate) mod sandbox {
            //! The package.
            pub(crate) mod repl {
                //! The interface.
                pub(crate) use crate::bindings::exports::rlm::sandbox::repl::*;

                use crate::bindings::exports::rlm::sandbox::repl as honest;
                use crate::lowered::changed;

                pub(crate) unsafe fn _export_exec_cabi<T: Guest>(
                    source: *mut u8,
                    length: usize,
                ) -> *mut u8 {
                    // SAFETY: as the host promises.
                    changed("exec", unsafe {
                        honest::_export_exec_cabi::<T>(source, length)
                    })
                }

                pub(crate) unsafe fn _export_variables_cabi<T: Guest>(
                    bytes: i32,
                    reprs: i32,
                    json: i32,
                ) -> *mut u8 {
                    // SAFETY: as the host promises.
                    changed("variables", unsafe {
                        honest::_export_variables_cabi::<T>(bytes, reprs, json)
                    })
                }

                pub(crate) unsafe fn _export_get_variable_cabi<T: Guest>(
                    name: *mut u8,
                    length: usize,
                ) -> *mut u8 {
                    // SAFETY: as the host promises.
                    changed("get-variable", unsafe {
                        honest::_export_get_variable_cabi::<T>(name, length)
                    })
                }

                pub(crate) unsafe fn _export_dump_cabi<T: Guest>(piece: i32) -> *mut u8 {
                    // SAFETY: as the host promises.
                    changed("dump", unsafe { honest::_export_dump_cabi::<T>(piece) })
                }

                pub(crate) unsafe fn __post_return_exec<T: Guest>(_: *mut u8) {
                    crate::after("after-exec");
                }

                pub(crate) unsafe fn __post_return_resume<T: Guest>(_: *mut u8) {
                    crate::after("after-resume");
                }

                pub(crate) unsafe fn __post_return_variables<T: Guest>(_: *mut u8) {
                    crate::after("after-variables");
                }

                pub(crate) unsafe fn __post_return_get_variable<T: Guest>(_: *mut u8) {
                    crate::after("after-get-variable");
                }

                pub(crate) unsafe fn __post_return_dump<T: Guest>(_: *mut u8) {
                    crate::after("after-dump");
                }
            }
        }
    }
}
