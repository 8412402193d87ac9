//! Writing to a child process that may not read.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use super::Child;

/// Bytes that are written at once.
const PART_BYTES: usize = 1 << 20;

/// Time in which a process with much to read has to read something.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that a piece of what waits to be read counts for besides its own.
const PIECE_BYTES: u64 = 128;

/// Pipe to a process, which is written on a thread of its own: a process that reads nothing delays no other one.
#[derive(Clone)]
pub(crate) struct Input(Arc<Queue>);

struct Queue {
    /// Ended where it does not read.
    child: Child,
    most_bytes: u64,
    sender: Mutex<Option<mpsc::Sender<Vec<u8>>>>,
    waiting: Arc<AtomicU64>,
    /// Bytes that the process has read, or the pipe holds.
    read: Arc<AtomicU64>,
}

impl Input {
    /// Writes to the process what it has not read, up to so many bytes; a process with more is ended.
    ///
    /// # Errors
    ///
    /// The system's error where it refuses a thread.
    pub(crate) fn of(
        mut pipe: impl Write + Send + 'static,
        child: Child,
        most_bytes: u64,
    ) -> io::Result<Self> {
        let (sender, pieces) = mpsc::channel::<Vec<u8>>();
        let waiting = Arc::<AtomicU64>::default();
        let read = Arc::<AtomicU64>::default();
        let (written, total) = (Arc::clone(&waiting), Arc::clone(&read));
        std::thread::Builder::new().spawn(move || {
            for piece in pieces {
                for part in piece.chunks(PART_BYTES) {
                    // A process that is gone reads nothing.
                    if pipe.write_all(part).and_then(|()| pipe.flush()).is_err() {
                        return;
                    }
                    written.fetch_sub(part.len() as u64, Ordering::AcqRel);
                    total.fetch_add(part.len() as u64, Ordering::AcqRel);
                }
                written.fetch_sub(PIECE_BYTES, Ordering::AcqRel);
            }
        })?;
        let sender = Mutex::new(Some(sender));
        Ok(Self(Arc::new(Queue {
            child,
            most_bytes,
            sender,
            waiting,
            read,
        })))
    }

    /// Waits until the process has read so much that half of what may wait is free, or has read nothing for a while.
    pub(crate) async fn room(&self) {
        let (mut read, mut since) = (self.read(), Instant::now());
        while self.waiting() > self.0.most_bytes / 2 && since.elapsed() < PATIENCE {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let now = self.read();
            if now > read {
                (read, since) = (now, Instant::now());
            }
        }
    }

    /// Returns the bytes that the process has read, but for what the pipe holds.
    pub(crate) fn read(&self) -> u64 {
        self.0.read.load(Ordering::Acquire)
    }

    /// Returns the bytes that wait to be read.
    fn waiting(&self) -> u64 {
        self.0.waiting.load(Ordering::Acquire)
    }

    /// Ends the pipe behind what was written.
    pub(crate) fn close(&self) {
        self.sender().take();
    }

    fn sender(&self) -> MutexGuard<'_, Option<mpsc::Sender<Vec<u8>>>> {
        self.0.sender.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Input {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let waiting = self.waiting();
        let sender = self.sender();
        let Some(sender) = sender.as_ref().filter(|_| waiting <= self.0.most_bytes) else {
            self.0.child.kill();
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        self.0
            .waiting
            .fetch_add(bytes.len() as u64 + PIECE_BYTES, Ordering::AcqRel);
        sender
            .send(bytes.to_vec())
            .map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
