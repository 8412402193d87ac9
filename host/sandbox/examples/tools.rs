//! Tools, a model and a context: `cargo run --example tools`.

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
    #[serde(default)]
    upper: bool,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> rlm_sandbox::Result<()> {
    // Deferred: a future that may wait for a network, a database, a person.
    let lookup = Tool::deferred("lookup", |context, arguments: Lookup| async move {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        match (arguments.name.as_str(), arguments.upper) {
            ("ann", upper) => Ok(if upper { "ANN'S ROW" } else { "ann's row" }),
            (name, _) => Err(ToolError::new(
                "KeyError",
                format!("{name}, asked by {:?}", context.user()),
            )),
        }
    })
    .parameters(["name", "upper"])
    .doc("Finds a row by name.");

    let sandbox = Sandbox::new()?;
    let notes = Context::text("notes.txt", "ann\nbob\n");
    let mut session = sandbox
        .session()
        .tool(lookup)
        .model(Parrot)
        .context(notes)
        .user("me")
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
