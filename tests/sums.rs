//! The sums of a journal, as a forger would make them fit.

/// A line with the sum that belongs there, and that sum; `before` is the one of the
/// line before it. None if the line has no sum.
pub(crate) fn resealed(before: u32, line: &str) -> Option<(u32, String)> {
    let end = line.rfind(",\"sum\":")?;
    let mut hash = crc32fast::Hasher::new_with_initial(before);
    hash.update(&line.as_bytes()[..end]);
    hash.update(b"}");
    let sum = hash.finalize();
    Some((sum, format!("{},\"sum\":\"{sum:08x}\"}}\n", &line[..end])))
}
