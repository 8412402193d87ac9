//! Writing to a stream that the other side may not read.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::terminal::Writer;

/// Bytes that wait for the reader. What comes then is dropped.
const MOST_BYTES: usize = 1 << 20;

/// Writer whose text is written on a thread of its own, so that its reader delays nothing.
#[derive(Clone)]
pub(crate) struct Queued(Arc<Queue>);

#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// Bytes that were dropped since the last ones were taken.
    dropped_bytes: usize,
    is_being_written: bool,
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for text, and takes it.
    fn take(&self) -> Vec<u8> {
        let mut waiting = self.waiting();
        waiting.is_being_written = false;
        self.changed.notify_all();
        while waiting.bytes.is_empty() {
            let changed = self.changed.wait(waiting);
            waiting = changed.unwrap_or_else(PoisonError::into_inner);
        }
        waiting.is_being_written = true;
        let mut bytes = mem::take(&mut waiting.bytes);
        let dropped_bytes = mem::take(&mut waiting.dropped_bytes);
        if dropped_bytes > 0 {
            let line = format!(
                "[{dropped_bytes} bytes of messages were dropped: they were not read in time]\n"
            );
            bytes.extend_from_slice(line.as_bytes());
        }
        bytes
    }
}

impl Queued {
    /// Writes to `stream` from now on.
    ///
    /// # Errors
    ///
    /// The system's, if it has no thread.
    pub(crate) fn new(stream: Writer) -> io::Result<Self> {
        let queue = Arc::<Queue>::default();
        let taken = Arc::clone(&queue);
        std::thread::Builder::new()
            .name(String::from("messages"))
            .spawn(move || {
                loop {
                    let bytes = taken.take();
                    let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                    // An error of this stream has no other place to go to.
                    let _ = stream.write_all(&bytes).and_then(|()| stream.flush());
                }
            })?;
        Ok(Self(queue))
    }

    /// Waits until all is written, or for so long.
    pub(crate) fn settle(&self, patience: Duration) {
        let since = Instant::now();
        let mut waiting = self.0.waiting();
        while !waiting.bytes.is_empty() || waiting.is_being_written {
            let left = patience.saturating_sub(since.elapsed());
            if left.is_zero() {
                return;
            }
            let changed = self.0.changed.wait_timeout(waiting, left);
            (waiting, _) = changed.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Write for Queued {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut waiting = self.0.waiting();
        match waiting.bytes.len().saturating_add(bytes.len()) > MOST_BYTES {
            true => waiting.dropped_bytes = waiting.dropped_bytes.saturating_add(bytes.len()),
            false => waiting.bytes.extend_from_slice(bytes),
        }
        self.0.changed.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_stream_that_nobody_reads_holds_up_no_one() {
        let (mut reads, writes) = io::pipe().expect("a pipe");
        let mut queued = Queued::new(Arc::new(Mutex::new(writes))).expect("a thread");
        let line = [b'x'; 1000];
        for _ in 0..5000 {
            queued.write_all(&line).expect("never waits");
        }
        // What fits is read at last, and then what was lost is said.
        let read = std::thread::spawn(move || {
            let (mut all, mut piece) = (Vec::new(), vec![0; 1 << 16]);
            // Dots may follow it before it is read.
            while !all.windows(9).any(|part| part == b"in time]\n") {
                let count = reads.read(&mut piece).expect("a pipe");
                all.extend_from_slice(&piece[..count]);
            }
            all.len()
        });
        let since = Instant::now();
        while !read.is_finished() {
            assert!(since.elapsed() < Duration::from_secs(20));
            // A line behind the ones that were dropped.
            queued.write_all(b".").expect("never waits");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(read.join().expect("read") < 2 * MOST_BYTES);
        queued.settle(Duration::from_secs(20));
    }
}
