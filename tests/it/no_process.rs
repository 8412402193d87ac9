//! No process and no program: the kernel ends this one at the first that it would make.

use std::collections::BTreeMap;
use std::process::Command;

use rlm_sandbox::{LocalTools, Tool, ToolContext};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};
use serde_json::json;

use crate::bombs::{process, runs_alone};
use crate::check::{block_on, sandbox};

/// Lets the kernel end this process when it makes another one, or runs a program. Threads are allowed.
fn forbid_processes() {
    let architecture = std::env::consts::ARCH
        .try_into()
        .expect("one that has filters");
    let filter = |rules: BTreeMap<i64, Vec<SeccompRule>>, matched| {
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, matched, architecture);
        BpfProgram::try_from(filter.expect("right")).expect("short enough")
    };
    let thread = libc::CLONE_THREAD.cast_unsigned().into();
    let is_process = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(thread),
        0,
    );
    let is_process = SeccompRule::new(vec![is_process.expect("right")]).expect("right");
    let mut deadly = BTreeMap::from([
        (libc::SYS_clone, vec![is_process]),
        (libc::SYS_execve, vec![]),
        (libc::SYS_execveat, vec![]),
    ]);
    #[cfg(target_arch = "x86_64")]
    deadly.extend([(libc::SYS_fork, vec![]), (libc::SYS_vfork, vec![])]);
    // Its flags cannot be seen; without it the C library takes the older call.
    let hidden = BTreeMap::from([(libc::SYS_clone3, vec![])]);
    let missing = filter(hidden, SeccompAction::Errno(libc::ENOSYS.cast_unsigned()));
    for program in [missing, filter(deadly, SeccompAction::KillProcess)] {
        seccompiler::apply_filter_all_threads(&program).expect("the kernel has filters");
    }
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
