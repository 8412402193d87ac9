//! What is broken around the program: disks, folders, address space, and the
//! process itself, which may be killed at any moment.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "what cannot be tried here is said")]

mod program;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use program::{PROGRAM, check, check_told, compiled, text};

/// A plugin that is compiled in no time.
const ONE: &str = "(component
    (core module $m (func (export \"one\") (result i32) i32.const 1))
    (core instance $i (instantiate $m))
    (func (export \"one\") (result u32) (canon lift (core func $i \"one\"))))";

/// A folder with the plugin in it, where what it keeps is kept, too.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let one = wat::parse_str(ONE).expect("a component");
    fs::write(folder.path().join("one.wasm"), one).expect("written");
    folder
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .env("RLM_SANDBOX_CACHE", compiled().parent().expect("a folder"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Calls the plugin with its own cache, in a shell that may mount what it likes
/// at `disk` first. None where users may not do that.
fn mounted(folder: &Path, script: &str) -> Option<Output> {
    let namespace = ["--user", "--map-root-user", "--mount"];
    let probe = Command::new("unshare").args(namespace).arg("true").output();
    if !probe.is_ok_and(|output| output.status.success()) {
        eprintln!("NOT TRIED: this machine does not let users mount anything");
        return None;
    }
    fs::create_dir_all(folder.join("disk")).expect("made");
    let mut command = Command::new("unshare");
    command
        .args(namespace)
        .args(["sh", "-uc", script])
        .current_dir(folder)
        .env("PROGRAM", PROGRAM)
        .env("COMPILED", compiled())
        .env("XDG_STATE_HOME", folder)
        .env("RLM_SANDBOX_CACHE", compiled().parent().expect("a folder"));
    Some(command.output().expect("runs"))
}

#[test]
fn a_disk_from_which_nothing_may_run_serves_as_a_cache() {
    let folder = folder();
    let script = r#"mount -t tmpfs -o noexec,size=120m none disk && cp "$COMPILED" disk/ && chmod 700 disk || exit 9
        RLM_SANDBOX_CACHE=disk exec "$PROGRAM" exec -c '1 + 1'"#;
    if let Some(output) = mounted(folder.path(), script) {
        check(&output, 0, "2\n", &[]);
        assert_eq!(text(&output.stderr), "");
    }
}

#[test]
fn a_full_disk_loses_nothing_that_was_there_and_hides_no_outcome() {
    let folder = folder();
    let script = r#"mount -t tmpfs -o size=200k none disk || exit 9
        "$PROGRAM" exec --session disk/s -c 'x = 1'; echo $?
        head -c 1m /dev/zero >disk/fill 2>/dev/null
        "$PROGRAM" exec --session disk/s -c 'x = 2; print(x)'; echo $?
        "$PROGRAM" exec --record disk/j -c 'for n in range(3): print(n)'; echo $?
        RLM_SANDBOX_CACHE=disk/cache "$PROGRAM" plugin call one.wasm 'one()'; echo $?
        rm disk/fill; ls -A disk
        "$PROGRAM" exec --session disk/s -c x; echo $?"#;
    let Some(output) = mounted(folder.path(), script) else {
        return;
    };
    check(
        &output,
        0,
        "0\n2\n4\n4\n1\n0\ncache\nj\ns\n1\n0\n",
        &[
            "cannot write the session to disk/s",
            "No space left on device",
            "the exec is rolled back, and the session goes on without a recording",
        ],
    );
}

#[test]
fn a_limit_on_the_size_of_files_loses_nothing_and_hides_no_outcome() {
    let folder = folder();
    // Numbers that do not pack: 200 KB, where a file may have 16 KB.
    let script = r#""$PROGRAM" exec --session s -c 'x = 1'; echo $?
        code='import random; x = [random.random() for _ in range(20_000)]; print("shown"); 5'
        (ulimit -f 16; "$PROGRAM" exec --session s -c "$code"; echo $?)
        (ulimit -f 16; "$PROGRAM" exec --record j -c "print('shown'); 'ab' * 20_000; print('x' * 100_000)" >out; echo $?)
        printf ':save t\n1\n' | (ulimit -f 16; "$PROGRAM" repl --input "y=[$(seq -s, 20000)]"; echo $?)
        ls -A
        "$PROGRAM" exec --session s -c x; echo $?"#;
    let output = Command::new("bash")
        .args(["-uc", script])
        .current_dir(folder.path())
        .env("PROGRAM", PROGRAM)
        .env("XDG_STATE_HOME", folder.path())
        .env("RLM_SANDBOX_CACHE", compiled().parent().expect("a folder"))
        .output()
        .expect("runs");
    check(
        &output,
        0,
        "0\nshown\n5\n4\n4\n1\n0\nj\none.wasm\nout\nrlm-sandbox\ns\n1\n0\n",
        &[
            "cannot write the session to s",
            "cannot write the session to t",
            "standard output cannot be written: File too large",
        ],
    );
}

#[test]
fn output_that_cannot_be_written_is_an_error_and_the_session_is_saved() {
    let folder = folder();
    let script = r#"for command in "exec -c print(4)" "repl" "validate -c import" "version"; do
            echo 'print(4)' | "$PROGRAM" $command >/dev/full; echo $?
        done
        "$PROGRAM" exec --session s -c 'x = 5; print(x)' >/dev/full; echo $?
        "$PROGRAM" exec --session s -c x; echo $?
        "$PROGRAM" exec --session nowhere/s -c 'print(1)' | true; echo ${PIPESTATUS[0]}"#;
    let output = Command::new("bash")
        .args(["-uc", script])
        .current_dir(folder.path())
        .env("PROGRAM", PROGRAM)
        .env("XDG_STATE_HOME", folder.path())
        .env("RLM_SANDBOX_CACHE", compiled().parent().expect("a folder"))
        .output()
        .expect("runs");
    check(
        &output,
        0,
        "4\n4\n4\n4\n4\n5\n0\n2\n",
        &["standard output cannot be written: No space left on device"],
    );
}

#[test]
fn a_disk_that_cannot_be_written_hides_no_outcome() {
    let folder = folder();
    let script = r#"mount -t tmpfs none disk || exit 9
        "$PROGRAM" exec --session disk/s -c 'x = 1'; echo $?
        mount -o remount,ro disk
        "$PROGRAM" exec --session disk/s -c 'x = 2; print(x)'; echo $?
        "$PROGRAM" exec --record disk/j -c 'print(3)'; echo $?
        RLM_SANDBOX_CACHE=disk/cache "$PROGRAM" plugin call one.wasm 'one()'; echo $?"#;
    let Some(output) = mounted(folder.path(), script) else {
        return;
    };
    check(
        &output,
        0,
        "0\n2\n4\n2\n1\n0\n",
        &[
            "cannot write the session to disk/s",
            "cannot record to disk/j",
            "Read-only file system",
        ],
    );
}

fn one(folder: &Path) -> Command {
    let mut command = program(folder, &["plugin", "call", "one.wasm", "one()"]);
    command.env("RLM_SANDBOX_CACHE", folder.join("cache"));
    command
}

/// The files of its cache.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("cache")).expect("there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("there").path()).collect();
    files.sort();
    files
}

#[test]
fn processes_that_start_at_once_share_a_cache() {
    let folder = folder();
    let children: Vec<Child> = (0..10)
        .map(|_| one(folder.path()).spawn().expect("starts"))
        .collect();
    for child in children {
        let output = child.wait_with_output().expect("ends");
        check(&output, 0, "1\n", &[]);
    }
    let [file] = &kept(folder.path())[..] else {
        panic!("{:?}", kept(folder.path()));
    };
    assert!(file.extension().is_some_and(|kind| kind == "cwasm"));
}

/// Writes a manifest for the plugin, with these lines in its table of bounds.
fn bounded(folder: &Path, lines: &str) {
    let manifest = format!("[compile]\n{lines}\n");
    fs::write(folder.join("one.toml"), manifest).expect("written");
}

#[test]
fn a_compiler_that_takes_too_long_or_too_much_is_ended_and_leaves_nothing() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("cache")).expect("made");
    for (line, told) in [
        (
            "timeout_ms = 1",
            "compiling it took longer than 1ms and was ended",
        ),
        (
            "memory_bytes = 50_000_000",
            "it may use 50000000 bytes of memory",
        ),
    ] {
        bounded(path, line);
        let output = one(path).output().expect("runs");
        check_told(
            &output,
            2,
            &["the plugin `one` is not loaded", told, "under [compile]"],
        );
        assert_eq!(kept(path), [] as [PathBuf; 0]);
    }
    bounded(path, "timeout_ms = 600_000");
    check(&one(path).output().expect("runs"), 0, "1\n", &[]);
    assert_eq!(kept(path).len(), 1);
    // What lies in the cache needs no compiler.
    bounded(path, "timeout_ms = 1");
    check(&one(path).output().expect("runs"), 0, "1\n", &[]);
}

#[test]
fn a_compiler_does_not_outlive_a_program_that_is_killed() {
    let folder = folder();
    let path = folder.path();
    let results = "i64 ".repeat(1000);
    let slow = (0..3000)
        .map(|n| format!("(func $f{n} (result {results}) unreachable) (elem declare func $f{n})"));
    let slow = ONE.replace("$m ", &format!("$m {}", slow.collect::<String>()));
    fs::write(
        path.join("one.wasm"),
        wat::parse_str(slow).expect("a component"),
    )
    .expect("written");
    // It computes for many seconds, and is known by those that it may have.
    bounded(path, "timeout_ms = 98_766_000\nwork = 1_000_000_000");
    let compilers = || {
        let known = |process: fs::DirEntry| {
            let line = fs::read_to_string(process.path().join("cmdline")).unwrap_or_default();
            line.contains("compile-plugin") && line.contains("395068")
        };
        let processes = fs::read_dir("/proc").expect("there").flatten();
        processes.map(known).filter(|is| *is).count()
    };
    let wait_for = |count: usize| {
        let since = Instant::now();
        while compilers() != count {
            assert!(since.elapsed() < Duration::from_secs(60), "not {count}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let mut child = one(path).spawn().expect("starts");
    wait_for(1);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(compilers(), 1, "it is slow");
    child.kill().expect("killed");
    child.wait().expect("ended");
    let since = Instant::now();
    wait_for(0);
    assert!(
        since.elapsed() < Duration::from_secs(5),
        "{:?}",
        since.elapsed()
    );
}

#[test]
fn a_component_that_is_refused_is_neither_compiled_nor_loaded_from_the_cache() {
    let folder = folder();
    let path = folder.path();
    check(&one(path).output().expect("runs"), 0, "1\n", &[]);
    bounded(path, "functions = 0");
    let told = ["it has 1 functions (0 are permitted)", "`functions = 1`"];
    check_told(&one(path).output().expect("runs"), 2, &told);
}

#[test]
fn a_compiler_that_cannot_be_started_is_told() {
    let folder = folder();
    // The program finds itself there.
    let script = r#"mount -t tmpfs none /proc || exit 9
        RLM_SANDBOX_CACHE=cache exec "$PROGRAM" plugin call one.wasm 'one()'"#;
    if let Some(output) = mounted(folder.path(), script) {
        check_told(
            &output,
            4,
            &["cannot start the process that compiles it", "needs /proc"],
        );
    }
}

#[test]
fn plugins_that_are_no_files_are_refused_at_once() {
    let folder = folder();
    let pipe = folder.path().join("pipe.wasm");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("runs");
    assert!(made.success());
    symlink("/dev/zero", folder.path().join("zero.wasm")).expect("linked");
    symlink("/dev/zero", folder.path().join("one.toml")).expect("linked");
    for name in [
        "pipe.wasm",
        "zero.wasm",
        "/dev/zero",
        "one.wasm",
        "one.toml",
    ] {
        let output = program(folder.path(), &["plugin", "call", name, "one()"]).output();
        check_told(&output.expect("runs"), 2, &["is no file"]);
    }
}

#[test]
fn what_is_damaged_in_a_cache_is_made_again() {
    let folder = folder();
    let path = folder.path();
    check(&one(path).output().expect("runs"), 0, "1\n", &[]);
    let file = kept(path)[0].clone();
    let whole = fs::read(&file).expect("there");
    let again = || {
        check(&one(path).output().expect("runs"), 0, "1\n", &[]);
        // It is whole again.
        assert_eq!(fs::read(&file).expect("there").len(), whole.len());
    };
    for cut in [0, 1, 63, 64, 1000, whole.len() / 2, whole.len() - 1] {
        fs::write(&file, &whole[..cut]).expect("written");
        again();
    }
    fs::write(&file, "text\n".repeat(3000)).expect("written");
    again();
    fs::copy(compiled(), &file).expect("written");
    again();
    // The first bytes say what it is and for whom.
    for place in (0..64).step_by(3) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x55;
        fs::write(&file, damaged).expect("written");
        check(&one(path).output().expect("runs"), 0, "1\n", &[]);
    }
}

#[test]
fn what_others_put_into_a_cache_is_not_loaded() {
    let folder = folder();
    let path = folder.path();
    check(&one(path).output().expect("runs"), 0, "1\n", &[]);
    let file = kept(path)[0].clone();
    // A link of one's own is as good as a file, if it leads to one of one's own.
    let elsewhere = path.join("elsewhere");
    fs::create_dir(&elsewhere).expect("made");
    let moved = elsewhere.join("code");
    fs::rename(&file, &moved).expect("moved");
    symlink(&moved, &file).expect("linked");
    check(&one(path).output().expect("runs"), 0, "1\n", &[]);
    assert!(file.is_symlink());
    let refused = || {
        check(&one(path).output().expect("runs"), 0, "1\n", &[]);
        // What is there now is ours.
        let about = fs::symlink_metadata(&file).expect("there");
        let me = fs::metadata(path).expect("there").uid();
        assert_eq!((about.is_file(), about.uid()), (true, me));
    };
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    fs::set_permissions(&elsewhere, open).expect("changed");
    refused();
    if fs::metadata(path).expect("there").uid() != 0 {
        eprintln!("NOT TRIED: only root can give files away");
        return;
    }
    let nobody = 65_534;
    let closed = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    fs::set_permissions(&elsewhere, closed).expect("changed");
    std::os::unix::fs::chown(&file, Some(nobody), None).expect("given");
    refused();
    fs::remove_file(&file).expect("there");
    symlink(&moved, &file).expect("linked");
    std::os::unix::fs::lchown(&file, Some(nobody), None).expect("given");
    refused();
}

#[test]
fn a_link_of_another_user_leads_to_no_session() {
    let folder = folder();
    let (shared, private) = (folder.path().join("shared"), folder.path().join("private"));
    fs::create_dir(&shared).expect("made");
    fs::create_dir(&private).expect("made");
    let run = |session: &str, code: &str| {
        let all = ["exec", "--session", session, "-c", code];
        program(folder.path(), &all).output().expect("runs")
    };
    check(&run("private/bank", "x = 'mine'"), 0, "", &[]);
    let (link, hop) = (shared.join("work"), folder.path().join("hop"));
    symlink("../private/bank", &link).expect("linked");
    symlink("shared/work", &hop).expect("linked");
    // One's own is followed, also in a shared folder.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o1777);
    fs::set_permissions(&shared, open).expect("changed");
    check(&run("shared/work", "x"), 0, "'mine'\n", &[]);
    if fs::metadata(&shared).expect("there").uid() != 0 {
        eprintln!("NOT TRIED: only root can give links away");
        return;
    }
    std::os::unix::fs::lchown(&link, Some(65_534), None).expect("given");
    for mode in [0o1777, 0o755] {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        fs::set_permissions(&shared, mode).expect("changed");
        for session in ["shared/work", "hop"] {
            let told = run(session, "x = 'lost'");
            check(&told, 2, "", &["it is a link of another user"]);
        }
    }
    // A link in the midst of the path says as much.
    let door = shared.join("dir");
    symlink("../private", &door).expect("linked");
    check(&run("shared/dir/bank", "x"), 0, "'mine'\n", &[]);
    std::os::unix::fs::lchown(&door, Some(65_534), None).expect("given");
    let denied = ["dir is a link of another user"];
    check(&run("shared/dir/bank", "x = 'lost'"), 2, "", &denied);
    let record = ["exec", "--record", "shared/dir/journal", "-c", "1"];
    let recorded = program(folder.path(), &record).output().expect("runs");
    check(&recorded, 2, "", &denied);
    assert!(!folder.path().join("private/journal").exists());
    let compile = ["compile", "-o", "shared/dir/app"];
    let compiled = program(folder.path(), &compile).output().expect("runs");
    check(&compiled, 2, "", &denied);
    check(&run("private/bank", "x"), 0, "'mine'\n", &[]);
}

/// The folders of the key and of recordings, below one that others may write.
#[test]
fn a_link_of_another_user_leads_to_no_folder_of_the_program() {
    let folder = folder();
    let (shared, private) = (folder.path().join("shared"), folder.path().join("private"));
    fs::create_dir(&shared).expect("made");
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o1777);
    fs::set_permissions(&shared, open).expect("changed");
    let run = |variable: &str, value: &Path| {
        // Each key has a session of its own.
        let all = ["exec", "--session", variable, "-c", "1 + 1"];
        let mut program = program(folder.path(), &all);
        program.env(variable, value).output().expect("runs")
    };
    let link = shared.join("rlm-sandbox");
    for owner in [None, Some(65_534)] {
        let _ = fs::remove_file(folder.path().join("XDG_STATE_HOME"));
        fs::create_dir(&private).expect("made");
        symlink(&private, &link).expect("linked");
        if owner.is_some() && std::os::unix::fs::lchown(&link, owner, None).is_err() {
            eprintln!("NOT TRIED: only root can give links away");
            return;
        }
        let denied = "rlm-sandbox is a link of another user";
        for (variable, value) in [
            ("XDG_STATE_HOME", shared.clone()),
            ("RLM_SANDBOX_RECORD", link.join("records")),
        ] {
            let output = run(variable, &value);
            match owner {
                Some(_) => check(&output, 2, "", &[denied]),
                None => check(&output, 0, "2\n", &[]),
            }
        }
        let made = fs::read_dir(&private).expect("a folder").count();
        // The key and the recordings.
        assert_eq!(made, if owner.is_some() { 0 } else { 2 });
        fs::remove_dir_all(&private).expect("removed");
        fs::remove_file(&link).expect("removed");
    }
}

#[test]
fn killed_anywhere_a_saved_session_is_the_old_one_or_the_new_one() {
    let folder = folder();
    let session = |code: &str| program(folder.path(), &["exec", "--session", "s", "-c", code]);
    let first = session("x = 0; filler = 'y' * 100_000").output();
    check(&first.expect("runs"), 0, "", &[]);
    let started = Instant::now();
    check(&session("x").output().expect("runs"), 0, "0\n", &[]);
    let usual = started.elapsed();
    let (mut kept, mut killed, mut ended) = (0, 0, 0);
    for round in 0..200_u32 {
        let mut child = session("x += 1; print(x)").spawn().expect("starts");
        // Anywhere in its life, and a little after.
        std::thread::sleep(usual * (round % 40) / 32);
        let _ = child.kill();
        let output = child.wait_with_output().expect("ends");
        let x = session("x").output().expect("runs");
        check(&x, 0, &text(&x.stdout), &[]);
        let x: u32 = text(&x.stdout).trim().parse().expect("a number");
        match output.status.code() {
            // Who was told that it is done can rely on it.
            Some(0) => {
                ended += 1;
                assert_eq!(x, kept + 1);
            }
            None => {
                killed += 1;
                assert!(x == kept || x == kept + 1, "{kept} became {x}");
            }
            Some(status) => panic!("{status}: {}", text(&output.stderr)),
        }
        kept = x;
        if round >= 40 && killed > 5 && ended > 2 {
            break;
        }
    }
    assert!(
        killed > 5 && ended > 2,
        "{killed} were killed, {ended} ended"
    );
    // What is left over is what was being written when it was killed.
    let left = fs::read_dir(folder.path()).expect("there").count();
    assert!(left <= killed + 4, "{left} files after {killed} kills");
}

#[test]
fn killed_anywhere_a_recording_can_be_read_as_far_as_it_goes() {
    let folder = folder();
    let record = |name: &str| {
        let code = "for n in range(400): print(n, later(n))";
        let tool = "later(n)=cat";
        program(
            folder.path(),
            &["exec", "--record", name, "--tool", tool, "-c", code],
        )
    };
    for round in 1..8 {
        let name = format!("j{round}");
        let mut child = record(&name).spawn().expect("starts");
        let lines = || {
            let journal = fs::read(folder.path().join(&name)).unwrap_or_default();
            journal.iter().filter(|byte| **byte == b'\n').count()
        };
        let started = Instant::now();
        while lines() < 25 * round && started.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("it runs");
        child.wait().expect("ends");
        let output = program(folder.path(), &["replay", &name]).output();
        check_told(
            &output.expect("runs"),
            3,
            &["the process that wrote it died"],
        );
    }
}
