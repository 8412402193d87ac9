//! Runs two scripts in one session: `cargo run --example hello`.

use rlm_sandbox::{Sandbox, Tool, ToolContext};

fn main() -> rlm_sandbox::Result<()> {
    let sandbox = Sandbox::new()?;
    let shout = Tool::immediate("shout", |_: &ToolContext, (text,): (String,)| {
        Ok(text.to_uppercase())
    });
    let mut session = sandbox.session().tool(shout).open()?;

    session.exec_blocking("words = ['hello', 'wasm']")?;
    let outcome = session.exec_blocking("print(len(words), 'words')\n[shout(w) for w in words]")?;

    assert_eq!(outcome.stdout, "2 words\n");
    assert_eq!(outcome.value::<Vec<String>>()?, ["HELLO", "WASM"]);
    Ok(())
}
