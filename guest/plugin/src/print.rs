//! Macros that print and log with a format.

/// Prints formatted text as the script that called the plugin would. Each call
/// is a call of the host.
#[macro_export]
macro_rules! print {
    ($($argument:tt)*) => {
        $crate::host::write_output(&::std::format!($($argument)*))
    };
}

/// Prints formatted text and a line break. Each call is a call of the host.
#[macro_export]
macro_rules! println {
    () => {
        $crate::host::write_output("\n")
    };
    ($($argument:tt)*) => {{
        let mut line = ::std::format!($($argument)*);
        line.push('\n');
        $crate::host::write_output(&line)
    }};
}

/// Logs a formatted message that only matters to whoever works on the plugin.
#[macro_export]
macro_rules! debug {
    ($($argument:tt)*) => {
        $crate::host::log($crate::host::Level::Debug, &::std::format!($($argument)*))
    };
}

/// Logs a formatted message about what is going on.
#[macro_export]
macro_rules! info {
    ($($argument:tt)*) => {
        $crate::host::log($crate::host::Level::Info, &::std::format!($($argument)*))
    };
}

/// Logs a formatted message about something odd.
#[macro_export]
macro_rules! warn {
    ($($argument:tt)*) => {
        $crate::host::log($crate::host::Level::Warn, &::std::format!($($argument)*))
    };
}

/// Logs a formatted message about something that went wrong.
#[macro_export]
macro_rules! error {
    ($($argument:tt)*) => {
        $crate::host::log($crate::host::Level::Error, &::std::format!($($argument)*))
    };
}
