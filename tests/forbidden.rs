//! System calls that end a process, for tests that show what it does not ask for.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

/// Lets the kernel end this process at one of these calls, or when it makes another process. Threads are allowed. Holds for
/// all threads that there are and will be.
pub(crate) fn forbid(calls: impl IntoIterator<Item = libc::c_long>) {
    let architecture = std::env::consts::ARCH
        .try_into()
        .expect("one that has filters");
    let filter = |rules: BTreeMap<i64, Vec<SeccompRule>>, matched| {
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, matched, architecture);
        BpfProgram::try_from(filter.expect("right")).expect("short enough")
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        calls.into_iter().map(|call| (call, vec![])).collect();
    // A thread is made by the same call as a process.
    let is_process = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(libc::CLONE_THREAD.cast_unsigned().into()),
        0,
    );
    let rule = SeccompRule::new(vec![is_process.expect("right")]).expect("right");
    rules.insert(libc::SYS_clone, vec![rule]);
    // The newer one hides its flags; without it the C library takes the older.
    let hidden = BTreeMap::from([(libc::SYS_clone3, vec![])]);
    let missing = filter(hidden, SeccompAction::Errno(libc::ENOSYS.cast_unsigned()));
    for program in [missing, filter(rules, SeccompAction::KillProcess)] {
        seccompiler::apply_filter_all_threads(&program).expect("the kernel has filters");
    }
}
