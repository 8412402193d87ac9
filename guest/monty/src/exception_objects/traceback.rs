//! Tracebacks that scripts read: the lines that an exception came from.

use std::sync::Arc;

use super::{change, fields};
use crate::{
    bytecode::VM,
    exception_private::RawStackFrame,
    heap::{HeapData, HeapId},
    intern::{Interns, StringId},
    parse::CodeRange,
    types::{NamedTuple, str::allocate_string},
    value::Value,
};

/// Frames of a traceback that are kept, at most, each with those of the same line below it; of more those at both ends.
const MOST: usize = 32;

/// Bytes of a line that tracebacks show, at most.
const LINE_BYTES: usize = 400;

/// A script that was fed, for tracebacks.
#[derive(Clone, Debug)]
pub struct ScriptLines {
    /// The number in the name that tracebacks have for the script, `<python-input-N>`.
    pub number: u32,
    /// Offsets of the fed text at which lines begin, sorted, with the line that begins there; 0 for text of the host's.
    pub starts: Arc<[(u32, u32)]>,
    /// The script as it was written.
    pub source: Arc<str>,
}

impl ScriptLines {
    /// Returns the line at an offset of the fed text, from 1; `None` in text of the host's.
    #[must_use]
    pub fn at(&self, offset: u32) -> Option<u32> {
        let past = self.starts.partition_point(|(start, _)| *start <= offset);
        let (_, line) = self.starts[past.checked_sub(1)?];
        (line > 0).then_some(line)
    }

    /// Returns the first 400 bytes of a line of the script, counted from 1.
    #[must_use]
    pub fn line(&self, number: u32) -> Option<&str> {
        let line = self.source.lines().nth((number as usize).checked_sub(1)?)?;
        Some(&line[..line.floor_char_boundary(LINE_BYTES)])
    }

    /// Returns the name that tracebacks have for the script.
    fn file(&self) -> String {
        file(self.number)
    }
}

/// A frame of a traceback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Place {
    /// The number of the script; `None` for a text that `eval` or `exec` ran.
    script: Option<u32>,
    /// From 1.
    line: u32,
    function: StringId,
}

/// A frame, and the number of frames like it in a row.
pub(crate) type Run = (Place, u32);

/// One frame of the traceback of an earlier exception.
#[derive(Debug)]
pub struct PastFrame {
    /// The number of the script; `None` for a text that `eval` or `exec` ran.
    pub script: Option<u32>,
    /// From 1.
    pub line: u32,
    pub function: String,
}

/// Returns the frames of a traceback, outermost first, without those of the host's own code.
pub(crate) fn places(innermost: &RawStackFrame, vm: &VM<'_>) -> Box<[Run]> {
    let mut frames: Vec<Run> = Vec::new();
    let mut next = Some(innermost);
    while let Some(frame) = next {
        let place = frame
            .frame_name
            .and_then(|name| place(frame.position, name, vm));
        match (frames.last_mut(), place) {
            (Some((last, count)), Some(place)) if *last == place => *count += 1,
            (_, place) => frames.extend(place.map(|place| (place, 1))),
        }
        next = frame.parent.as_deref();
    }
    if frames.len() > MOST {
        frames.drain(MOST / 2..frames.len() - MOST / 2);
    }
    frames.reverse();
    frames.into()
}

/// Returns the line of a script at a position; `None` in code of the host's own.
pub(crate) fn place(position: CodeRange, function: StringId, vm: &VM<'_>) -> Option<Place> {
    let (file, offset) = (position.filename, position.start_byte);
    let (script, line) = match vm.interns.eval_source(file) {
        Some(text) => {
            let before = text.as_bytes().get(..offset as usize)?;
            let breaks = before.iter().filter(|byte| **byte == b'\n').count();
            (None, u32::try_from(breaks).ok()?.saturating_add(1))
        }
        None => {
            let lines = vm.heap.script_lines.get(vm.interns.get_filename(file))?;
            (Some(lines.number), lines.at(offset)?)
        }
    };
    Some(Place {
        script,
        line,
        function,
    })
}

/// Keeps the traceback of an exception with it, or drops the one that is kept.
pub(crate) fn keep(id: HeapId, places: Option<Box<[Run]>>, vm: &mut VM<'_>) {
    change(id, vm, |fields| {
        fields.traceback = places;
        None
    });
}

/// Returns the traceback that is kept with an exception.
pub(crate) fn kept(id: HeapId, vm: &VM<'_>) -> Option<Box<[Run]>> {
    fields(id, vm)?.traceback.clone()
}

/// Returns the frames one by one.
fn frames(places: &[Run]) -> impl DoubleEndedIterator<Item = Place> {
    let all = places.iter();
    all.flat_map(|(place, count)| std::iter::repeat_n(*place, *count as usize))
}

/// Returns the frames of a traceback for the host.
pub(crate) fn for_host(places: &[Run], interns: &Interns) -> Vec<PastFrame> {
    let frame = |place: Place| PastFrame {
        script: place.script,
        line: place.line,
        function: interns.get_str(place.function).to_owned(),
    };
    frames(places).map(frame).collect()
}

/// Returns the name that tracebacks have for a script.
fn file(number: u32) -> String {
    format!("<python-input-{number}>")
}

/// Returns a line of a script by the name that tracebacks have for it; empty where there is none, as of `linecache`.
pub(crate) fn source_line(file: &Value, line: &Value, vm: &mut VM<'_>) -> Value {
    let scripts = &vm.heap.script_lines;
    let text = file.as_either_str(vm.heap).and_then(|file| {
        let file = file.as_str(vm.interns);
        let script = scripts.values().find(|script| script.file() == file)?;
        let Value::Int(line) = line else { return None };
        script.line(u32::try_from(*line).ok()?).map(str::to_owned)
    });
    allocate_string(text.unwrap_or_default(), vm.heap)
}

/// Returns the object that scripts see: named tuples with the attributes that those of Python have. `None` without frames.
pub(crate) fn object(places: &[Run], vm: &mut VM<'_>) -> Value {
    frames(places).rev().fold(Value::None, |next, place| {
        let file = match place.script {
            Some(number) => file(number),
            None => String::from("<string>"),
        };
        let function = vm.interns.get_str(place.function).to_owned();
        let line = Value::Int(i64::from(place.line));
        let code = [
            ("co_filename", allocate_string(file, vm.heap)),
            ("co_name", allocate_string(function, vm.heap)),
        ];
        let code = named("code", code, vm);
        let line_of_frame = Value::Int(i64::from(place.line));
        let frame = named("frame", [("f_code", code), ("f_lineno", line_of_frame)], vm);
        let fields = [("tb_frame", frame), ("tb_lineno", line), ("tb_next", next)];
        named("traceback", fields, vm)
    })
}

fn named<const N: usize>(
    name: &'static str,
    fields: [(&'static str, Value); N],
    vm: &mut VM<'_>,
) -> Value {
    let (names, items): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let names = names.into_iter().map(|name| name.to_owned().into());
    let tuple = NamedTuple::new(name.to_owned(), names.collect(), items);
    Value::Ref(vm.heap.allocate(HeapData::NamedTuple(Box::new(tuple))))
}
