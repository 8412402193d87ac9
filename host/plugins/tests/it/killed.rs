//! A process that dies while a plugin waits for a model.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rlm_sandbox::{Journal, Lm, LmAnswer, LmError, LmRequest, Recording, SessionBuilder, Verdict};
use rlm_sandbox_plugins::WasmPlugin;

use crate::check::{block_on, sandbox};
use crate::components::built;

/// Where the other process records.
const PATH: &str = "RLM_SANDBOX_TEST_RECORD_TO";

/// Answers with the number of the question, as often as it may.
struct Model {
    asked: Arc<AtomicU32>,
    answers: u32,
}

impl Lm for Model {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        if number >= self.answers {
            std::future::pending::<()>().await;
        }
        Ok(LmAnswer::new(format!("{number} {}", request.prompt)))
    }
}

fn builder(plugin: &WasmPlugin, asked: &Arc<AtomicU32>, answers: u32) -> SessionBuilder {
    let asked = Arc::clone(asked);
    let session = sandbox().session().seed(1).id("s");
    session
        .plugin(plugin.clone())
        .model(Model { asked, answers })
}

#[test]
fn the_session_ends_as_if_nothing_had_happened() {
    let grants = "[permissions]\nclock = true\nllm_query = true\ncontexts = [\"*\"]\n";
    let folder = tempfile::tempdir().expect("a folder");
    let folders = format!("allowed_paths = {{ {:?} = \"/data\" }}\n", folder.path());
    let Some(plugin) = built("unruly", &(folders + grants)) else {
        return;
    };
    let code = "told = unruly.ask(['a', 'b', 'c'])\ntold";
    let asked = Arc::new(AtomicU32::new(0));
    if let Ok(path) = std::env::var(PATH) {
        let recording = Recording::create(path).expect("a file");
        let session = builder(&plugin, &asked, 2).record(&recording).open();
        block_on(session.expect("right").exec(code)).expect("never ends");
        return;
    }
    let undisturbed = builder(&plugin, &asked, 3).open();
    let undisturbed = block_on(undisturbed.expect("right").exec(code)).expect("runs");

    let path = folder.path().join("a.jsonl");
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "killed::the_session_ends_as_if_nothing_had_happened",
        ])
        .env(PATH, &path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("another process");
    let patience = Instant::now() + Duration::from_secs(60);
    while !fs::read_to_string(&path).is_ok_and(|text| text.contains(r#""number":1"#)) {
        assert!(Instant::now() < patience, "the model never answered twice");
        assert!(child.try_wait().expect("asked").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("waited for");

    // The two answers are known; the third is the second one of this model.
    asked.store(2, Ordering::SeqCst);
    let journal = || Journal::open(&path).expect("whole");
    let session = block_on(journal().rebuild(builder(&plugin, &asked, 3)));
    let mut session = session.expect("taken up");
    let outcome = block_on(session.finish()).expect("runs");
    let told = |outcome: &rlm_sandbox::Outcome| outcome.value::<Vec<String>>().expect("texts");
    assert_eq!(told(&outcome), ["0 a", "1 b", "2 c"]);
    assert_eq!(told(&outcome), told(&undisturbed));
    assert_eq!(outcome.usage.fuel, undisturbed.usage.fuel);
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    drop(session);
    let replayed = block_on(journal().replay(sandbox())).expect("can be repeated");
    assert!(
        matches!(replayed.verdict, Verdict::Identical),
        "{:?}",
        replayed.verdict
    );
}
