//! A loop of one's own around a session: `cargo run --example steps`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use rlm_sandbox::{Answer, Request, Sandbox, Step, Tool};

#[tokio::main(flavor = "current_thread")]
async fn main() -> rlm_sandbox::Result<()> {
    let sandbox = Sandbox::new()?;
    // Declared: it has no handler here, its calls are handed to the loop.
    let mut session = sandbox
        .session()
        .tool(Tool::declared("search").parameters(["query"]))
        .open()?;

    let code =
        "import asyncio\nawait asyncio.gather(search('wasm'), search('python'), search('rust'))";
    let mut step = session.step(code).await?;
    let outcome = loop {
        match step {
            Step::Done(outcome) => break outcome,
            Step::Waiting(calls) => {
                let mut answers = Vec::new();
                for call in calls {
                    let answer = match &call.request {
                        Request::Tool { arguments, .. } => {
                            let (query,): (String,) = arguments.read().unwrap_or_default();
                            println!("call {}: search for {query:?}", call.ticket);
                            Answer::value(query.len())?
                        }
                        _ => Answer::error("RuntimeError", "there is no model here"),
                    };
                    answers.push((call.ticket, answer));
                }
                // Any order will do; it becomes part of the run.
                step = session.resume(answers).await?;
            }
        }
    };
    assert_eq!(outcome.value::<Vec<usize>>()?, [4, 6, 4]);
    Ok(())
}
