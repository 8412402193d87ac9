//! What the process may not ask of the system while a script means harm to it.
//!
//! From [`close`] on the kernel ends the process at the first call that would
//! reach out of it: files, sockets, other programs, signals. So a gate that was
//! passed shows more than a look at the folder afterwards could.
//!
//! This is the outer wall alone, where everything may be imported. The inner
//! one alone, without an engine around it, is tried by `guest/repl/tests/limits.rs`.

use std::fs::File;
use std::hint::black_box;
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitCode};
use std::thread;

use libtest_mimic::Trial;

use crate::forbidden::forbid;

/// Calls that nothing in here has a use for.
const FORBIDDEN: &[libc::c_long] = &[
    // Files by name.
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_open_by_handle_at,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_fchmodat,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_truncate,
    libc::SYS_chdir,
    libc::SYS_chroot,
    libc::SYS_mount,
    libc::SYS_umount2,
    // The network, and other ways to talk.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_shmget,
    libc::SYS_mq_open,
    libc::SYS_io_uring_setup,
    // Other programs and processes.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_kill,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_open,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_bpf,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    // The clock of the machine.
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
];

/// What only the older tables have.
#[cfg(target_arch = "x86_64")]
const FORBIDDEN_TOO: &[libc::c_long] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_mknod,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_fork,
    libc::SYS_vfork,
];
#[cfg(not(target_arch = "x86_64"))]
const FORBIDDEN_TOO: &[libc::c_long] = &[libc::SYS_renameat];

/// Closes the wall around all threads that there are and will be.
pub(crate) fn close() {
    settle_allocator();
    forbid(FORBIDDEN.iter().chain(FORBIDDEN_TOO).copied());
}

/// The C library reads a setting of the kernel when the heap of a thread first
/// shrinks, and never again.
fn settle_allocator() {
    let grow_and_shrink = || {
        drop(black_box(
            (0..64).map(|_| vec![1_u8; 64 << 10]).collect::<Vec<_>>(),
        ))
    };
    thread::spawn(grow_and_shrink)
        .join()
        .expect("it did not panic");
}

/// Something that a process tries behind the wall, and whether it lives.
struct Attempt {
    name: &'static str,
    attempt: fn() -> bool,
    is_deadly: bool,
}

/// Names an attempt to the process that is to make it.
const ATTEMPT: &str = "RLM_SANDBOX_TEST_ATTEMPT";

/// Without these a filter that lets everything pass would look as good.
const ATTEMPTS: [Attempt; 4] = [
    Attempt {
        name: "a file",
        attempt: || File::open("/proc/self/status").is_ok(),
        is_deadly: true,
    },
    Attempt {
        name: "a socket",
        attempt: || TcpListener::bind("127.0.0.1:0").is_ok(),
        is_deadly: true,
    },
    Attempt {
        name: "a program",
        attempt: || Command::new("true").status().is_ok(),
        is_deadly: true,
    },
    Attempt {
        name: "a thread",
        attempt: || thread::spawn(|| ()).join().is_ok(),
        is_deadly: false,
    },
];

/// Makes the attempt that this process is asked for.
pub(crate) fn asked_for() -> Option<ExitCode> {
    let wanted = std::env::var(ATTEMPT).ok()?;
    let found = ATTEMPTS.iter().find(|attempt| attempt.name == wanted);
    let attempt = found.expect("the name of an attempt").attempt;
    close();
    Some(if attempt() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Shows that the wall is there, and has the doors that it must have.
pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    ATTEMPTS.iter().map(|attempt| {
        let fate = if attempt.is_deadly {
            "is deadly"
        } else {
            "is allowed"
        };
        Trial::test(format!("behind the wall, {} {fate}", attempt.name), || {
            let mut process = Command::new(std::env::current_exe()?);
            let output = process.env(ATTEMPT, attempt.name).output()?;
            let is_right = match attempt.is_deadly {
                true => output.status.signal() == Some(libc::SIGSYS),
                false => output.status.success(),
            };
            let stderr = String::from_utf8_lossy(&output.stderr);
            if is_right {
                Ok(())
            } else {
                Err(format!("{}: {stderr}", output.status).into())
            }
        })
    })
}
