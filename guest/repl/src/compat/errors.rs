//! Types of exceptions that the interpreter lacks: names of them stand for classes of ours, and old names for `OSError`.

use ruff_python_ast::ExprName;
use ruff_text_size::Ranged;

use super::Pass;

/// Types that Monty has, and the other names of `OSError`.
pub(super) const TYPES: [&str; 34] = [
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "Exception",
    "FileExistsError",
    "FileNotFoundError",
    "ImportError",
    "IndexError",
    "IsADirectoryError",
    "KeyError",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "RecursionError",
    "RuntimeError",
    "StopIteration",
    "SyntaxError",
    "SystemExit",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "ValueError",
    "ZeroDivisionError",
    "IOError",
    "EnvironmentError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
];

/// Types that Monty lacks, and that ours stand for.
pub(super) const MISSING: [&str; 29] = [
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "EncodingWarning",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "ImportWarning",
    "InterruptedError",
    "KeyboardInterrupt",
    "PendingDeprecationWarning",
    "ProcessLookupError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeWarning",
    "SyntaxWarning",
    "SystemError",
    "UnicodeError",
    "UnicodeWarning",
    "UserWarning",
    "Warning",
];

/// Other names of `OSError`, which Monty lacks.
pub(super) const OLD: [&str; 2] = ["IOError", "EnvironmentError"];

/// Returns true for the name of a type of exceptions that Monty has.
pub(crate) fn is_exception(name: &str) -> bool {
    TYPES.contains(&name) && !OLD.contains(&name)
}

impl Pass<'_> {
    /// The name of a type that Monty lacks.
    pub(super) fn error_name(&mut self, name: &ExprName) {
        let range = name.range();
        match name.id.as_str() {
            old if OLD.contains(&old) && self.is_pythons(old) => {
                self.replace_range(range, "OSError");
            }
            missing if MISSING.contains(&missing) && self.is_pythons(missing) => {
                let ours = format!("_rlm_kinds['{missing}']");
                self.rewrote("exception", range, "exceptions");
                self.replace_range(range, ours);
            }
            _ => {}
        }
    }
}
