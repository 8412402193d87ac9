//! A plugin that does what it should not, and one of everything; for tests of
//! the host.

mod excess;

/// Does what it should not.
#[rlm_plugin::plugin]
mod unruly {
    use std::cell::{Cell, RefCell};
    use std::collections::hash_map::RandomState;
    use std::fs;
    use std::hash::BuildHasher as _;
    use std::time::{Duration, SystemTime};
    use std::{env, io, thread};

    use rlm_plugin::host::{self, ContextError, Level};

    use crate::excess;

    thread_local! {
        static REMEMBERED: RefCell<Option<String>> = const { RefCell::new(None) };
        static CANARY: Cell<u64> = const { Cell::new(0) };
    }

    /// Runs for ever.
    pub fn spin() {
        excess::spin();
    }

    /// Takes memory and writes to every page of it; gives the mebibytes it has.
    pub fn grow(mebibytes: u32) -> u32 {
        excess::grow(mebibytes)
    }

    /// Calls itself `depth` times, each with a frame in linear memory: ends with
    /// an access out of bounds when the plugin's own stack is full, if the
    /// engine's is not before.
    pub fn recurse(depth: u32) -> u32 {
        excess::recurse(depth)
    }

    /// Calls itself `depth` times without any memory: ends when the engine's stack
    /// is full. Gives a number that means nothing.
    pub fn descend(depth: u32) -> u32 {
        excess::descend(depth)
    }

    /// Prints `bytes` bytes, in pieces of 64 KiB.
    pub fn flood_output(bytes: u64) {
        let piece = "x".repeat(64 << 10);
        let mut left = bytes;
        while left > 0 {
            let length = left.min(piece.len() as u64);
            host::write_output(&piece[..length as usize]);
            left -= length;
        }
    }

    /// Logs `times` messages.
    pub fn flood_log(times: u32) {
        for time in 0..times {
            rlm_plugin::info!("message {time}");
        }
    }

    /// Gives the numbers from 0 on.
    pub fn big_list(length: u32) -> Vec<u32> {
        (0..length).collect()
    }

    /// Gives a text of `bytes` bytes.
    pub fn big_text(bytes: u32) -> String {
        "x".repeat(bytes as usize)
    }

    /// Panics.
    pub fn panic(message: String) {
        panic!("{message}");
    }

    /// Fails as a function may.
    pub fn fail(message: String) -> Result<u32, String> {
        Err(message)
    }

    /// Exits, which ends the instance in the middle of a call.
    pub fn exit(status: i32) {
        std::process::exit(status);
    }

    /// Keeps a value and gives the one from before.
    pub fn remember(value: String) -> Option<String> {
        REMEMBERED.replace(Some(value))
    }

    /// Leaves a mark and gives the one from before, or 0.
    pub fn canary(mark: u64) -> u64 {
        CANARY.replace(mark)
    }

    /// Asks the model, one prompt after the other.
    pub fn ask(prompts: Vec<String>) -> Vec<String> {
        let ask = |prompt: &String| {
            host::llm_query(prompt).unwrap_or_else(|reason| format!("no answer: {reason}"))
        };
        prompts.iter().map(ask).collect()
    }

    /// Asks the model called `model`.
    pub fn ask_of(prompt: String, model: String) -> Result<String, host::NoAnswer> {
        host::llm_query_with(&prompt, &model)
    }

    /// Reads a stretch of a context.
    pub fn read(name: String, offset: u64, length: u32) -> Result<Vec<u8>, ContextError> {
        host::read_context_at(&name, offset, length)
    }

    /// Counts the bytes of a context, reading all of it.
    pub fn read_all(name: String) -> Result<u64, ContextError> {
        Ok(host::read_context(&name)?.len() as u64)
    }

    /// Calls the host `times` times: reads nothing at the start of a context
    /// that may not be there.
    pub fn call_many(times: u32) -> u32 {
        let read = |_: &u32| host::read_context_at("context", 0, 0).is_ok();
        (0..times).filter(read).count() as u32
    }

    /// Prints and logs a text, at each level.
    pub fn say(text: String) {
        host::write_output(&text);
        for level in [Level::Debug, Level::Info, Level::Warn, Level::Error] {
            host::log(level, &text);
        }
    }

    /// The wall clock, in nanoseconds since 1970.
    pub fn now() -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |it| it.as_nanos() as u64)
    }

    /// A number that nobody should be able to tell in advance.
    pub fn random() -> u64 {
        RandomState::new().hash_one(0)
    }

    /// A variable of the environment.
    pub fn environment(name: String) -> Option<String> {
        env::var(name).ok()
    }

    /// A file, as text.
    pub fn read_file(path: String) -> io::Result<String> {
        fs::read_to_string(path)
    }

    /// Writes a file.
    pub fn write_file(path: String) -> io::Result<()> {
        fs::write(path, "written by a plugin")
    }

    /// What is in a folder.
    pub fn list_files(path: String) -> io::Result<Vec<String>> {
        fs::read_dir(path)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    }

    /// Sleeps.
    pub fn sleep(milliseconds: u32) {
        thread::sleep(Duration::from_millis(u64::from(milliseconds)));
    }

    /// Reads a line of standard input.
    pub fn read_line() -> io::Result<String> {
        let mut line = String::new();
        io::stdin().read_line(&mut line)?;
        Ok(line)
    }

    /// Writes to standard output and standard error.
    #[expect(
        clippy::print_stdout,
        clippy::print_stderr,
        reason = "shows where these go"
    )]
    pub fn print(text: String) {
        println!("{text}");
        eprintln!("{text}");
    }

    /// A record of all scalars.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Scalars {
        pub truth: bool,
        pub u8: u8,
        pub u16: u16,
        pub u32: u32,
        pub u64: u64,
        pub s8: i8,
        pub s16: i16,
        pub s32: i32,
        pub s64: i64,
        pub f32: f32,
        pub f64: f64,
        pub letter: char,
    }

    /// A record.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Word {
        /// The word itself.
        pub text: String,
        /// A keyword of Rust and of WIT.
        pub r#type: Option<Kind>,
        pub places: Vec<(u32, u32)>,
    }

    /// An enum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kind {
        /// A thing.
        Noun,
        Verb,
        ProperName,
    }

    /// A variant.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Shape {
        /// Nothing.
        Empty,
        /// By its radius.
        Circle(f64),
        /// By its corners.
        Polygon(Vec<(f64, f64)>),
        Named(String),
        Numbered(u64),
        Word(Word),
    }

    /// Another name for a type.
    pub type Words = Vec<Word>;

    /// All scalars; more of them than a core function takes.
    pub fn echo_scalars(value: Scalars, again: Scalars) -> Vec<Scalars> {
        vec![value, again]
    }

    pub fn echo_bool(value: bool) -> bool {
        value
    }

    pub fn echo_u8(value: u8) -> u8 {
        value
    }

    pub fn echo_s8(value: i8) -> i8 {
        value
    }

    pub fn echo_u16(value: u16) -> u16 {
        value
    }

    pub fn echo_s16(value: i16) -> i16 {
        value
    }

    pub fn echo_u32(value: u32) -> u32 {
        value
    }

    pub fn echo_s32(value: i32) -> i32 {
        value
    }

    pub fn echo_u64(value: u64) -> u64 {
        value
    }

    pub fn echo_s64(value: i64) -> i64 {
        value
    }

    pub fn echo_f32(value: f32) -> f32 {
        value
    }

    pub fn echo_f64(value: f64) -> f64 {
        value
    }

    pub fn echo_char(value: char) -> char {
        value
    }

    pub fn echo_text(value: &str) -> String {
        value.to_owned()
    }

    pub fn echo_bytes(value: Vec<u8>) -> Vec<u8> {
        value
    }

    pub fn echo_list(value: &[String]) -> Vec<String> {
        value.to_vec()
    }

    pub fn echo_lists(value: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
        value
    }

    pub fn echo_option(value: Option<&str>) -> Option<String> {
        value.map(str::to_owned)
    }

    pub fn echo_options(value: Option<Option<u32>>) -> Option<Option<u32>> {
        value
    }

    pub fn echo_result(value: Result<u32, String>) -> Result<u32, String> {
        value
    }

    pub fn echo_results(value: Vec<Result<(), Kind>>) -> Vec<Result<(), Kind>> {
        value
    }

    pub fn echo_tuple(value: (u32, String, bool)) -> (u32, String, bool) {
        value
    }

    pub fn echo_record(value: Word) -> Word {
        value
    }

    pub fn echo_records(value: Words) -> Words {
        value
    }

    pub fn echo_enum(value: Kind) -> Kind {
        value
    }

    pub fn echo_variant(value: Shape) -> Shape {
        value
    }

    pub fn echo_variants(value: Vec<Shape>) -> Vec<Shape> {
        value
    }

    /// Fails with a value of its own type.
    pub fn fail_as(value: Shape) -> Result<(), Shape> {
        Err(value)
    }

    /// Gives nothing.
    pub fn nothing() {}
}
