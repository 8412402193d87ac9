//! Giving up rights, on Linux: descriptors, address space, privileges, system calls.
//!
//! Two filters hold for all threads. The strict one ends the process at a system call that no session makes. Calls by which the C
//! library, the allocator or the runtime look at the system, and which do well without an answer, fail in the second.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use super::Role;

/// Descriptors that this process has got from the one that started it, besides the standard ones and its pipes.
static INHERITED: OnceLock<Vec<i32>> = OnceLock::new();

/// Notes the descriptors that are open now.
pub(super) fn note_inherited() {
    let pipes = match Role::of_process() {
        Some(Role::Exec { reads, writes }) => vec![*reads, *writes],
        _ => Vec::new(),
    };
    let is_inherited = |fd: &i32| *fd > 2 && !pipes.contains(fd);
    let mut open: Vec<i32> = fs::read_dir(FDS)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(is_inherited)
        .collect();
    // The list itself had a descriptor while it was read.
    open.retain(|fd| fs::symlink_metadata(Path::new(FDS).join(fd.to_string())).is_ok());
    let _ = INHERITED.set(open);
}

const FDS: &str = "/proc/self/fd";

/// Takes from this process what a session does not need. The process may take `most_bytes` of address space beyond what it has.
///
/// # Errors
///
/// The system's, where it refuses a limit or has no filters.
pub(super) fn close(most_bytes: u64) -> io::Result<()> {
    let programs = programs()?;
    // Standard input of a worker's child is its pipe.
    if let Some(Role::Exec { .. }) = Role::of_process() {
        let nothing = fs::File::open("/dev/null")?;
        rustix::stdio::dup2_stdin(&nothing)?;
    }
    close_inherited();
    let limit = |bytes| Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    // No memory of it is written to a file when it dies.
    setrlimit(Resource::Core, limit(0))?;
    // Copies of a descriptor take memory of the kernel, and so does each watch of one.
    setrlimit(Resource::Nofile, limit(most_descriptors()?))?;
    let most = address_space()?.saturating_add(most_bytes);
    let allowed = getrlimit(Resource::As).maximum;
    setrlimit(Resource::As, limit(most.min(allowed.unwrap_or(most))))?;
    for program in &programs {
        // Sets `no_new_privs`, too.
        seccompiler::apply_filter_all_threads(program)
            .map_err(|error| io::Error::other(error.to_string()))?;
    }
    Ok(())
}

/// Returns the descriptors that a session may have open: those that there are, and some more.
fn most_descriptors() -> io::Result<u64> {
    const MORE: u64 = 32;
    let numbers = fs::read_dir("/proc/self/fd")?.flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u64>().ok());
    let most = numbers.max().unwrap_or_default().saturating_add(MORE);
    Ok(getrlimit(Resource::Nofile)
        .maximum
        .map_or(most, |maximum| most.min(maximum)))
}

/// Returns the bytes of address space that this process has.
fn address_space() -> io::Result<u64> {
    let pages = fs::read_to_string("/proc/self/statm")?;
    let pages = pages
        .split(' ')
        .next()
        .and_then(|pages| pages.parse::<u64>().ok());
    let pages = pages.ok_or_else(|| io::Error::other("/proc/self/statm has no size"))?;
    Ok(pages.saturating_mul(rustix::param::page_size() as u64))
}

#[expect(
    unsafe_code,
    reason = "descriptors that no value of this process owns have no safe way to be closed"
)]
fn close_inherited() {
    for &fd in INHERITED.get().map_or(&[][..], Vec::as_slice) {
        // SAFETY: it was open before the first value of this process was made, and no value took it over.
        unsafe { rustix::io::close(fd) };
    }
}

/// Compiles the filters.
fn programs() -> io::Result<[BpfProgram; 3]> {
    let failed = |error: seccompiler::BackendError| io::Error::other(error.to_string());
    let architecture = std::env::consts::ARCH.try_into().map_err(failed)?;
    let program = |rules: BTreeMap<i64, Vec<SeccompRule>>, otherwise, matched| {
        let filter = SeccompFilter::new(rules, otherwise, matched, architecture);
        filter.and_then(BpfProgram::try_from).map_err(failed)
    };
    let refused = |errno: i32| SeccompAction::Errno(errno.cast_unsigned());
    let any = |calls: &[i64]| calls.iter().map(|call| (*call, vec![])).collect();
    let rules = |calls: Vec<(i64, Vec<Vec<Argument>>)>| {
        let rule = |arguments: Vec<Argument>| {
            let conditions = arguments.into_iter().map(Argument::condition);
            SeccompRule::new(conditions.collect::<Result<_, _>>()?)
        };
        calls
            .into_iter()
            .map(|(call, options)| {
                let options: Result<Vec<_>, _> = options.into_iter().map(rule).collect();
                Ok((call, options?))
            })
            .collect::<Result<BTreeMap<_, _>, seccompiler::BackendError>>()
    };

    let mut allowed: BTreeMap<i64, Vec<SeccompRule>> = any(ALLOWED);
    allowed.extend(any(LOOKS));
    allowed.extend(any(UNJUDGED));
    allowed.extend(rules(limited()).map_err(failed)?);
    let strict = program(allowed, SeccompAction::KillProcess, SeccompAction::Allow)?;

    let mut looks: BTreeMap<i64, Vec<SeccompRule>> = any(LOOKS);
    looks.extend(rules(refused_with()).map_err(failed)?);
    let looks = program(looks, SeccompAction::Allow, refused(libc::EPERM))?;

    let hidden = program(any(UNJUDGED), SeccompAction::Allow, refused(libc::ENOSYS))?;
    Ok([hidden, looks, strict])
}

/// A condition on an argument of a system call.
struct Argument {
    number: u8,
    is: SeccompCmpOp,
    value: u64,
}

impl Argument {
    fn is(number: u8, value: u64) -> Self {
        let is = SeccompCmpOp::Eq;
        Self { number, is, value }
    }

    fn has(number: u8, bit: u64) -> Self {
        let (is, value) = (SeccompCmpOp::MaskedEq(bit), bit);
        Self { number, is, value }
    }

    fn condition(self) -> Result<SeccompCondition, seccompiler::BackendError> {
        SeccompCondition::new(self.number, SeccompCmpArgLen::Qword, self.is, self.value)
    }
}

/// Returns calls that are allowed with some arguments alone.
fn limited() -> Vec<(i64, Vec<Vec<Argument>>)> {
    let this = u64::from(std::process::id());
    vec![
        // An abort. Other signals to itself could fill the queue of the user.
        (
            libc::SYS_tgkill,
            vec![vec![
                Argument::is(0, this),
                Argument::is(2, libc::SIGABRT.cast_unsigned().into()),
            ]],
        ),
        // Looks, and copies; nothing that others who have the same file notice.
        (
            libc::SYS_fcntl,
            [
                libc::F_GETFD,
                libc::F_SETFD,
                libc::F_GETFL,
                libc::F_DUPFD_CLOEXEC,
            ]
            .map(|command| vec![Argument::is(1, command.cast_unsigned().into())])
            .into(),
        ),
        // Of its own memory. Others take pages of the machine out of service, where the program runs as root.
        (
            libc::SYS_madvise,
            [
                libc::MADV_NORMAL,
                libc::MADV_RANDOM,
                libc::MADV_SEQUENTIAL,
                libc::MADV_WILLNEED,
                libc::MADV_DONTNEED,
                libc::MADV_FREE,
                libc::MADV_DONTFORK,
                libc::MADV_HUGEPAGE,
                libc::MADV_NOHUGEPAGE,
                libc::MADV_DONTDUMP,
            ]
            .map(|advice| vec![Argument::is(2, advice.cast_unsigned().into())])
            .into(),
        ),
        // To the other end of the pair by which signals reach the runtime. There is no other socket, and none can be made.
        (libc::SYS_sendto, vec![vec![Argument::is(4, 0)]]),
        // Limits are read, not set.
        (
            libc::SYS_prlimit64,
            vec![vec![Argument::is(0, 0), Argument::is(2, 0)]],
        ),
    ]
}

/// Returns calls that fail with some arguments, without an end of the process.
fn refused_with() -> Vec<(i64, Vec<Vec<Argument>>)> {
    let executable = libc::PROT_EXEC.cast_unsigned().into();
    // Names of threads, and the request that comes before each filter.
    let others = [libc::PR_SET_NAME, libc::PR_SET_NO_NEW_PRIVS].map(|option| Argument {
        number: 0,
        is: SeccompCmpOp::Ne,
        value: option.cast_unsigned().into(),
    });
    vec![
        // All code is mapped by now.
        (libc::SYS_mmap, vec![vec![Argument::has(2, executable)]]),
        (libc::SYS_mprotect, vec![vec![Argument::has(2, executable)]]),
        (libc::SYS_prctl, vec![others.into()]),
    ]
}

/// Calls that a filter cannot judge, since what matters lies in memory: the flags of a new thread, and whether a path is empty
/// and means an open file. They are as if the kernel did not have them, and `clone` and `fstat` are taken in their place.
const UNJUDGED: &[i64] = &[libc::SYS_clone3, libc::SYS_newfstatat, libc::SYS_statx];

/// Calls of a session: memory, threads, time, and what is open.
const ALLOWED: &[i64] = &[
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_recvfrom,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_flock,
    libc::SYS_close,
    libc::SYS_pread64,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_brk,
    libc::SYS_futex,
    libc::SYS_membarrier,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_getrandom,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_prctl,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_ppoll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_epoll_wait,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_gettimeofday,
];

/// Calls that fail, and do not end the process. All threads that a session needs are there by now.
const LOOKS: &[i64] = &[
    libc::SYS_clone,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_mkdirat,
    libc::SYS_ioctl,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    // What watches descriptors takes memory of the kernel.
    libc::SYS_epoll_create1,
    libc::SYS_eventfd2,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_sched_setaffinity,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
];

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, ExitStatus};

    use super::*;

    /// Bytes that a sealed test process may take.
    const ROOM_BYTES: u64 = 256 << 20;
    const DEED: &str = "SEALED_DEED";
    /// Exit status for a deed that had an error.
    const REFUSED: i32 = 40;
    /// Exit status for a deed that was done.
    const DONE: i32 = 41;

    /// Runs a deed in a sealed process.
    fn sealed(deed: &str) -> ExitStatus {
        Command::new(std::env::current_exe().expect("a path"))
            .args([
                "--exact",
                "isolation::seal::tests::a_process_that_is_sealed",
                "--ignored",
            ])
            .env(DEED, deed)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status()
            .expect("it starts")
    }

    fn end(result: io::Result<()>) -> ! {
        std::process::exit(match result {
            Ok(()) => DONE,
            Err(_) => REFUSED,
        })
    }

    /// The process of [`sealed`], which is as free as native code can be: nothing of the sandbox holds it.
    #[test]
    #[ignore = "it is the child process of the other tests"]
    #[expect(unsafe_code, reason = "it does what an attacker would do")]
    fn a_process_that_is_sealed() {
        let Ok(deed) = std::env::var(DEED) else {
            return;
        };
        let own = std::env::current_exe().expect("a path");
        let open = fs::File::open(&own).expect("a file");
        close(ROOM_BYTES).expect("the kernel has filters");
        match deed.as_str() {
            "compute" => {
                assert_eq!(vec![1_u8; 8 << 20].len(), 8 << 20);
                let mut bytes = [0; 16];
                end(io::Read::read_exact(&mut { open }, &mut bytes));
            }
            "memory" => {
                let mut kept = Vec::new();
                for _ in 0..1024 {
                    let mut block: Vec<u8> = Vec::new();
                    if block.try_reserve_exact(1 << 20).is_err() {
                        break;
                    }
                    block.resize(1 << 20, 1);
                    kept.push(block);
                }
                // What it has got in MiB.
                std::process::exit((kept.len() / 8).try_into().unwrap_or(255));
            }
            "memory without a check" => drop(vec![1_u8; 4 << 30]),
            "thread" => end(std::thread::Builder::new().spawn(|| {}).map(drop)),
            "open" => end(fs::File::open("/etc/hostname").map(drop)),
            "create" => end(fs::File::create(std::env::temp_dir().join("sealed")).map(drop)),
            "list" => end(fs::read_dir("/").map(drop)),
            "metadata" => end(fs::metadata("/").map(drop)),
            "metadata with a flag" | "extended metadata" => {
                let (mut old, mut new) = (
                    std::mem::MaybeUninit::<libc::stat>::uninit(),
                    std::mem::MaybeUninit::<libc::statx>::uninit(),
                );
                let (here, flag) = (libc::AT_FDCWD, libc::AT_EMPTY_PATH);
                let path = c"/etc/hostname".as_ptr();
                // SAFETY: each writes one such value, which is not read.
                let result = unsafe {
                    match deed.as_str() {
                        "extended metadata" => {
                            libc::statx(here, path, flag, libc::STATX_BASIC_STATS, new.as_mut_ptr())
                        }
                        _ => libc::fstatat(here, path, old.as_mut_ptr(), flag),
                    }
                };
                end(match result {
                    0 => Ok(()),
                    _ => Err(io::Error::last_os_error()),
                })
            }
            // Of no page, as it does harm to the machine.
            "poison" => {
                // SAFETY: it is about no memory.
                let status = unsafe { libc::madvise(std::ptr::null_mut(), 0, libc::MADV_HWPOISON) };
                end(if status == 0 {
                    Ok(())
                } else {
                    Err(io::Error::last_os_error())
                })
            }
            "remove" => end(fs::remove_file("/tmp/sealed")),
            "watcher" => end(rustix::event::epoll::create(
                rustix::event::epoll::CreateFlags::CLOEXEC,
            )
            .map(drop)
            .map_err(Into::into)),
            "event" => end(
                rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC)
                    .map(drop)
                    .map_err(Into::into),
            ),
            "copies" => {
                let copies: io::Result<Vec<_>> = (0..2000).map(|_| open.try_clone()).collect();
                end(copies.map(drop));
            }
            "signal to itself" => {
                // SAFETY: it has no handler that could do anything.
                let result = unsafe {
                    libc::syscall(
                        libc::SYS_tgkill,
                        libc::getpid(),
                        libc::gettid(),
                        libc::SIGUSR1,
                    )
                };
                end(match result {
                    0 => Ok(()),
                    _ => Err(io::Error::last_os_error()),
                })
            }
            "code" => {
                let protection = libc::PROT_READ | libc::PROT_EXEC;
                let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
                // SAFETY: a new mapping that nothing points into.
                let mapped =
                    unsafe { libc::mmap(std::ptr::null_mut(), 4096, protection, flags, -1, 0) };
                end(match mapped == libc::MAP_FAILED {
                    true => Err(io::Error::last_os_error()),
                    false => Ok(()),
                });
            }
            "limit" => end(setrlimit(
                Resource::Nofile,
                Rlimit {
                    current: Some(10),
                    maximum: Some(10),
                },
            )
            .map_err(Into::into)),
            "run" => end(Command::new(own).status().map(drop)),
            "connect" => end(std::net::TcpStream::connect("127.0.0.1:9").map(drop)),
            "listen" => end(std::os::unix::net::UnixListener::bind("/tmp/sealed-socket").map(drop)),
            "signal" => {
                let parent = rustix::process::getppid().expect("a parent");
                end(
                    rustix::process::kill_process(parent, rustix::process::Signal::TERM)
                        .map_err(Into::into),
                );
            }
            other => {
                let number = match other {
                    "execve" => libc::SYS_execve,
                    "fork" => libc::SYS_clone,
                    "ptrace" => libc::SYS_ptrace,
                    "kill" => libc::SYS_kill,
                    "bpf" => libc::SYS_bpf,
                    "io_uring" => libc::SYS_io_uring_setup,
                    "mount" => libc::SYS_mount,
                    "memory of others" => libc::SYS_process_vm_readv,
                    "memfd" => libc::SYS_memfd_create,
                    "user namespace" => libc::SYS_unshare,
                    "pidfd" => libc::SYS_pidfd_open,
                    "chmod" => libc::SYS_fchmodat,
                    "link" => libc::SYS_linkat,
                    "userfault" => libc::SYS_userfaultfd,
                    "keys" => libc::SYS_keyctl,
                    "perf" => libc::SYS_perf_event_open,
                    "modules" => libc::SYS_init_module,
                    "setuid" => libc::SYS_setuid,
                    "chroot" => libc::SYS_chroot,
                    _ => unreachable!("{other}"),
                };
                // SAFETY: all arguments are zero, which is no valid pointer for any of these.
                let result = unsafe { libc::syscall(number, 0, 0, 0, 0, 0, 0) };
                end(match result {
                    -1 => Err(io::Error::last_os_error()),
                    _ => Ok(()),
                });
            }
        }
    }

    #[test]
    fn a_sealed_process_computes_and_reads_what_is_open() {
        assert_eq!(sealed("compute").code(), Some(DONE));
    }

    #[doc = "Keeps R3-4, X24."]
    #[test]
    fn a_sealed_process_takes_no_more_memory_than_it_may() {
        let blocks = sealed("memory").code().expect("it ends by itself");
        let bytes = u64::try_from(blocks).expect("a count") * (8 << 20);
        // The allocator had some address space before, 64 MiB for each thread.
        assert!(bytes <= ROOM_BYTES + (128 << 20), "{bytes}");
        assert!(bytes > ROOM_BYTES / 2, "{bytes}");
        let status = sealed("memory without a check");
        assert_eq!(status.signal(), Some(libc::SIGABRT), "{status}");
    }

    #[doc = "Keeps R3-4, X24."]
    #[test]
    fn a_sealed_process_opens_and_changes_nothing() {
        for deed in [
            "open",
            "create",
            "list",
            "metadata",
            "metadata with a flag",
            "extended metadata",
            "watcher",
            "event",
            "copies",
            "remove",
            "code",
            "thread",
            "fork",
            "run",
        ] {
            assert_eq!(sealed(deed).code(), Some(REFUSED), "{deed}");
        }
    }

    #[doc = "Keeps R3-4, X24."]
    #[test]
    fn a_sealed_process_ends_at_every_other_call() {
        for deed in [
            "limit",
            "connect",
            "listen",
            "signal",
            "signal to itself",
            "execve",
            "ptrace",
            "kill",
            "bpf",
            "io_uring",
            "mount",
            "memory of others",
            "memfd",
            "user namespace",
            "pidfd",
            "chmod",
            "link",
            "userfault",
            "keys",
            "perf",
            "modules",
            "setuid",
            "chroot",
            "poison",
        ] {
            let status = sealed(deed);
            assert_eq!(status.signal(), Some(libc::SIGSYS), "{deed}: {status}");
        }
    }
}
