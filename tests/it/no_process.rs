//! No process and no program: the kernel ends this one at the first that it would make.

use std::process::Command;

use rlm_sandbox::{LocalTools, Tool, ToolContext};
use serde_json::json;

use crate::bombs::{process, runs_alone};
use crate::check::{block_on, sandbox};
use crate::forbidden::forbid;

/// Lets the kernel end this process when it makes another one, or runs a program.
fn forbid_processes() {
    forbid([libc::SYS_execve, libc::SYS_execveat]);
    #[cfg(target_arch = "x86_64")]
    forbid([libc::SYS_fork, libc::SYS_vfork]);
}

#[test]
fn r0_1_r1_4_scripts_run_where_no_process_can_be_made() {
    if runs_alone("no_process::r0_1_r1_4_scripts_run_where_no_process_can_be_made") {
        return;
    }
    let shout = |_: ToolContext, (text,): (String,)| async move { Ok(text.to_uppercase()) };
    let session = sandbox().session().tool(Tool::deferred("shout", shout));
    forbid_processes();
    let mut session = session.open().expect("right");
    let code = "import json\nx = [shout(w) for w in json.loads('[\"a\", \"b\"]')]\nprint(x)\nx";
    let (tools, arguments) = (LocalTools::new(), json!({"code": code}));
    let called = tools.call(&mut session, "exec_python", &arguments);
    assert_eq!(block_on(called).json["return_json"], json!(["A", "B"]));
    // One that is killed is brought back here, too.
    session.set_time_limit(std::time::Duration::from_millis(20));
    assert!(
        !block_on(session.exec("n = 10 ** (10 ** 7)"))
            .expect("an outcome")
            .is_success()
    );
    session.set_time_limit(std::time::Duration::from_secs(20));
    assert_eq!(crate::check::value(&mut session, "x"), "['A', 'B']");
}

/// Without this a filter that lets everything pass would look as good.
#[test]
fn the_kernel_ends_a_process_that_makes_another() {
    const NAME: &str = "no_process::the_kernel_ends_a_process_that_makes_another";
    if std::env::var_os(NAME).is_some() {
        forbid_processes();
        let _ = Command::new("true").status();
        return;
    }
    let status = process(NAME)
        .env(NAME, "1")
        .output()
        .expect("starts")
        .status;
    assert!(!status.success() && status.code().is_none(), "{status}");
}
