//! Merges of values of locals where branches meet.

use wasmparser::Operator;

/// Merges within one outermost block of a function, multiplied with each other, for one microsecond. A merge of a
/// merge is looked up through all of them.
const PAIRS: u64 = 900;

/// An open block.
#[derive(Debug)]
struct Block {
    kind: Kind,
    /// Number of assignments before it.
    begun: u32,
    /// True after a branch to it.
    is_target: bool,
    /// Bits of the locals whose values differ between the branches to its end.
    merged: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Branches lead to its end.
    Plain,
    /// Two ways lead to its end.
    If,
    /// Branches lead to its beginning.
    Loop,
}

/// Count of the merges in a function.
#[derive(Debug)]
pub(super) struct Merges {
    /// Number of the last assignment of each local.
    set_at: Vec<u32>,
    assignments: u32,
    blocks: Vec<Block>,
    /// Merges in the outermost block at hand.
    chained: u64,
    squares: u64,
}

impl Merges {
    /// Begins a function with so many locals.
    pub(super) fn new(locals: u64) -> Self {
        let locals = usize::try_from(locals).unwrap_or(usize::MAX);
        Self {
            set_at: vec![0; locals],
            assignments: 0,
            blocks: Vec::new(),
            chained: 0,
            squares: 0,
        }
    }

    /// Returns the estimated microseconds of compile time.
    pub(super) fn work(&self) -> u64 {
        let open = self.chained.saturating_mul(self.chained);
        self.squares.saturating_add(open) / PAIRS
    }

    /// Goes past an operator.
    pub(super) fn step(&mut self, operator: &Operator<'_>) {
        match operator {
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                self.assignments = self.assignments.saturating_add(1);
                if let Some(set_at) = self.set_at.get_mut(*local_index as usize) {
                    *set_at = self.assignments;
                }
            }
            Operator::Block { .. } | Operator::Try { .. } => self.begin(Kind::Plain),
            Operator::If { .. } => self.begin(Kind::If),
            Operator::Loop { .. } => self.begin(Kind::Loop),
            Operator::TryTable { try_table } => {
                for catch in &try_table.catches {
                    let (wasmparser::Catch::One { label, .. }
                    | wasmparser::Catch::OneRef { label, .. }
                    | wasmparser::Catch::All { label }
                    | wasmparser::Catch::AllRef { label }) = *catch;
                    self.branch(label);
                }
                self.begin(Kind::Plain);
            }
            Operator::Br { relative_depth }
            | Operator::BrIf { relative_depth }
            | Operator::BrOnNull { relative_depth }
            | Operator::BrOnNonNull { relative_depth }
            | Operator::BrOnCast { relative_depth, .. }
            | Operator::BrOnCastFail { relative_depth, .. } => self.branch(*relative_depth),
            Operator::BrTable { targets } => {
                for target in targets.targets().flatten().chain([targets.default()]) {
                    self.branch(target);
                }
            }
            Operator::End => self.end(),
            _ => {}
        }
    }

    fn begin(&mut self, kind: Kind) {
        self.blocks.push(Block {
            kind,
            begun: self.assignments,
            is_target: false,
            merged: Vec::new(),
        });
    }

    /// Notes what differs at a branch. The outermost label is the function, which merges nothing.
    fn branch(&mut self, depth: u32) {
        let Some(index) = self.blocks.len().checked_sub(1 + depth as usize) else {
            return;
        };
        let block = &mut self.blocks[index];
        block.is_target = true;
        if block.kind == Kind::Plain {
            mark(block, &self.set_at);
        }
    }

    fn end(&mut self) {
        let Some(mut block) = self.blocks.pop() else {
            return;
        };
        let is_set = |set_at: &&u32| **set_at > block.begun;
        let merges = match block.kind {
            Kind::If => self.set_at.iter().filter(is_set).count() as u64,
            // At its beginning, and behind it.
            Kind::Loop if block.is_target => 2 * self.set_at.iter().filter(is_set).count() as u64,
            Kind::Plain if block.is_target => {
                mark(&mut block, &self.set_at);
                let bits = block.merged.iter().map(|bits| u64::from(bits.count_ones()));
                bits.sum()
            }
            Kind::Loop | Kind::Plain => 0,
        };
        self.chained = self.chained.saturating_add(merges);
        if self.blocks.is_empty() {
            let square = self.chained.saturating_mul(self.chained);
            self.squares = self.squares.saturating_add(square);
            self.chained = 0;
        }
    }
}

/// Notes the locals that were assigned since a block began.
fn mark(block: &mut Block, set_at: &[u32]) {
    block.merged.resize(set_at.len().div_ceil(64), 0);
    for (index, _) in set_at
        .iter()
        .enumerate()
        .filter(|(_, set_at)| **set_at > block.begun)
    {
        block.merged[index / 64] |= 1 << (index % 64);
    }
}
