//! Writing to a child process that may not read.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

use super::Child;

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
        let written = Arc::clone(&waiting);
        std::thread::Builder::new().spawn(move || {
            for piece in pieces {
                // A process that is gone reads nothing.
                if pipe.write_all(&piece).and_then(|()| pipe.flush()).is_err() {
                    break;
                }
                written.fetch_sub(piece.len() as u64 + PIECE_BYTES, Ordering::AcqRel);
            }
        })?;
        let sender = Mutex::new(Some(sender));
        Ok(Self(Arc::new(Queue {
            child,
            most_bytes,
            sender,
            waiting,
        })))
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
        let waiting = self.0.waiting.load(Ordering::Acquire);
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
