//! A plugin that keeps texts within the budgets of language models.

mod chunks;
mod cost;
mod pieces;
mod summary;

/// Counts tokens, about as models do, and cuts texts to budgets.
///
/// A count is an estimate: the text is split as GPT's tokenizers split it, and
/// each piece costs what such pieces cost on average; no vocabulary is asked. A
/// page of English, code, JSON or a log mostly comes out within a tenth of what
/// GPT's `cl100k_base` and `o200k_base` say, a longer text within a twentieth.
/// Other languages of Europe come out up to a quarter too low, others within a
/// quarter of the mean of the two, which differ by more than that themselves.
#[rlm_plugin::plugin]
mod tokens {
    use rlm_plugin::{Error, host};

    use crate::{chunks, summary};

    /// About how many tokens a text has.
    pub fn count(text: &str) -> u64 {
        chunks::count(text)
    }

    /// Returns whether a text has at most `budget` tokens. Reads no further than it must.
    pub fn fits(text: &str, budget: u64) -> bool {
        chunks::fits(text, budget)
    }

    /// The beginning of a text, at most `budget` tokens of it, cut between words,
    /// or within the first if that alone is too long.
    pub fn truncate(text: &str, budget: u64) -> Result<String, Error> {
        some("budget", budget)?;
        Ok(chunks::truncate(text, budget).to_owned())
    }

    /// A text in chunks of at most `budget` tokens, which give the text again
    /// when joined. Cut at the end of a paragraph, else of a line, of a sentence,
    /// or between words. What is too long without any of these is cut between
    /// characters; one that alone has more tokens is a chunk of its own.
    pub fn split(text: &str, budget: u64) -> Result<Vec<String>, Error> {
        some("budget", budget)?;
        let chunks = chunks::split(text, budget).into_iter();
        Ok(chunks.map(str::to_owned).collect())
    }

    /// Sums a text up in at most `budget` tokens, by asking the model about each
    /// chunk of `chunk` tokens (8000 if not given) and then about its answers.
    /// A text that fits stays as it is.
    pub fn summarize(text: &str, budget: u64, chunk: Option<u64>) -> Result<String, Error> {
        let chunk = chunk.unwrap_or(8000);
        some("budget", budget)?;
        some("chunk", chunk)?;
        let mut asked = 0_u32;
        let summary = summary::summarize(text, budget, chunk, |prompt| {
            asked += 1;
            host::llm_query(prompt)
        })?;
        rlm_plugin::debug!("asked the model {asked} times");
        Ok(summary)
    }

    /// Refuses a number of tokens that holds no text.
    fn some(name: &str, tokens: u64) -> Result<(), Error> {
        if tokens > 0 {
            return Ok(());
        }
        Err(Error::new(format_args!(
            "no text fits into 0 tokens: {name} has to be at least 1"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::tokens::{fits, split, summarize, truncate};

    #[test]
    fn a_budget_of_nothing_is_refused() {
        let told = "no text fits into 0 tokens: budget has to be at least 1";
        let refused = [
            split("a", 0).map(|_| ()),
            truncate("a", 0).map(|_| ()),
            summarize("a", 0, None).map(|_| ()),
        ];
        for refused in refused {
            assert_eq!(refused.expect_err("no budget").to_string(), told);
        }
        assert!(summarize("a", 1, Some(0)).is_err());
        assert_eq!(split("a", 1).expect("a budget"), ["a"]);
        assert_eq!(truncate("a", 1).expect("a budget"), "a");
        // Whether a text fits is known for any budget.
        assert!(fits("", 0) && !fits("a", 0));
    }
}
