//! What one call of a plugin may use.

use std::time::Duration;

/// How much one call of a plugin may use. Every limit is always on; a call that
/// reaches one ends in an exception for the script, and its instance is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginLimits {
    /// Fuel, which is about one unit for each WebAssembly instruction. Default:
    /// 10 × 10⁹, about a second. Starting the instance is not counted. Exact.
    pub fuel: u64,
    /// Compute time, conversions of arguments and answers included, and the time that the host takes to
    /// serve calls for files.
    /// Waiting for a model, or for a place among the calls that run, is not counted.
    /// Default: 5 s. Looked at about four times a millisecond, and when a function of the host returns.
    pub time: Duration,
    /// Bytes of linear memory of an instance. Default: 256 MiB. Exact.
    pub memory_bytes: u64,
    /// Bytes that it may print; what is over is dropped. Bytes of JSON of its
    /// answer, too; a larger one is refused. Default: 1 MiB. Exact.
    pub output_bytes: u64,
    /// Calls to the functions of `rlm:sandbox/host`. Default: 100,000. Exact.
    pub host_calls: u64,
    /// Calls for files: those of `wasi:filesystem`, and reads of streams. Default:
    /// 1,000,000. Exact.
    pub file_calls: u64,
    /// Prompts to the model. Default: 16. More are refused, and the plugin is
    /// told so. Exact.
    pub model_calls: u64,
}

impl Default for PluginLimits {
    fn default() -> Self {
        Self {
            fuel: 10_000_000_000,
            time: Duration::from_secs(5),
            memory_bytes: 256 << 20,
            output_bytes: 1 << 20,
            host_calls: 100_000,
            file_calls: 1_000_000,
            model_calls: 16,
        }
    }
}
