//! Exists because cargo wants a target; see `generate.sh`.
