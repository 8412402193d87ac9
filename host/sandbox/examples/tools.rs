//! Tools, a model and a context: `cargo run --example tools`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use rlm_sandbox::{Context, Lm, LmAnswer, LmError, LmRequest, Sandbox, Tool, ToolError};

/// Stands in for a language model.
struct Parrot;

impl Lm for Parrot {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        Ok(LmAnswer::new(format!("You said: {}", request.prompt)))
    }
}

#[derive(serde::Deserialize)]
struct Lookup {
    name: String,
    upper: Option<bool>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> rlm_sandbox::Result<()> {
    // Deferred: a future, so it may wait for a network, a database, a person.
    let lookup = Tool::deferred("lookup", |_, arguments: Lookup| async move {
        match arguments.name.as_str() {
            "ann" if arguments.upper == Some(true) => Ok("ANN'S ROW"),
            "ann" => Ok("ann's row"),
            name => Err(ToolError::new("KeyError", name)),
        }
    })
    .parameters(["name", "upper"]);

    let sandbox = Sandbox::new()?;
    let notes = Context::text("notes.txt", "ann\nbob\n");
    let mut session = sandbox
        .session()
        .tool(lookup)
        .model(Parrot)
        .context(notes)
        .open()?;

    let code = r#"
import asyncio
async def row(name):
    try:
        return await lookup(name, upper=True)
    except KeyError as error:
        return f"no row: {error}"
rows = await asyncio.gather(*[row(name) for name in context.splitlines()])
llm_query(f"Summarize {rows}")
"#;
    let outcome = session.exec(code).await?;
    println!("{}", outcome.value::<String>()?);
    println!(
        "{} host calls, {} fuel",
        outcome.calls.len(),
        outcome.usage.fuel
    );
    Ok(())
}
