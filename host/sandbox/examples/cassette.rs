//! A test of an agent that needs no network, because its cassette answers for
//! the model: `cargo run --example cassette`.
//!
//! `RLM_SANDBOX_RECORD=all` asks the model again, and records what it says.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use rlm_sandbox::{Cassette, Lm, LmAnswer, LmError, LmRequest, Record, Sandbox, SessionBuilder};

/// The agent: two scripts, the second of which depends on what the model said.
fn sort_reviews(builder: SessionBuilder) -> rlm_sandbox::Result<Vec<String>> {
    let mut session = builder.open()?;
    session.exec_blocking(
        "import asyncio\n\
         reviews = ['works as it should', 'broke after a day', 'I want my money back']\n\
         asked = [llm_query(f'Is this review good or bad? {review}') for review in reviews]\n\
         said = await asyncio.gather(*asked)",
    )?;
    let outcome = session.exec_blocking("[r for r, s in zip(reviews, said) if 'bad' in s]")?;
    outcome.value()
}

/// Stands in for a model behind a network.
struct Remote;

impl Lm for Remote {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        println!("over the network: {}", request.prompt);
        let is_bad = ["broke", "back"]
            .iter()
            .any(|word| request.prompt.contains(word));
        Ok(LmAnswer::new(if is_bad { "bad" } else { "good" }))
    }
}

// In a project of your own this is a `#[test]`.
fn main() -> rlm_sandbox::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/cassette.jsonl");
    let cassette = Cassette::open(path, Record::Once)?;
    let builder = Sandbox::new()?.session().model(Remote).cassette(&cassette);
    let bad = sort_reviews(builder)?;
    assert_eq!(bad, ["broke after a day", "I want my money back"]);
    println!("{} of three are bad", bad.len());
    Ok(())
}
