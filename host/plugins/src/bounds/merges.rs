//! Merges of values of locals where branches meet.

use wasmparser::Operator;

/// Merges within one outermost block of a function, multiplied with each other, for one microsecond. A merge of a
/// merge is looked up through all of them.
const PAIRS: u64 = 900;

/// Loops in a function, multiplied with each other, for [`LOOPS_TIME`] microseconds: values that live through one loop
/// after the other are one range for the register allocator. Measured with four values; fewer and more take less.
const LOOPS: u64 = 25;
const LOOPS_TIME: u64 = 9;

/// An open block.
#[derive(Debug)]
struct Block {
    kind: Kind,
    /// True after a branch to it.
    is_target: bool,
    assigned: Mark,
    used: Mark,
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
    blocks: Vec<Block>,
    /// Locals that blocks assign.
    assigned: Locals,
    /// Locals that blocks assign or read.
    used: Locals,
    /// Merges in the outermost block at hand.
    chained: u64,
    squares: u64,
    /// Loops to which branches lead.
    loops: u64,
}

/// Count of the different locals that something was done with in each open block, in a time that does not depend on how
/// many there are.
#[derive(Debug)]
struct Locals {
    /// Number of the last time of each local.
    last: Vec<u32>,
    times: u32,
    /// Times that count in an open block, which are the first in it: the sum of what was added to all.
    counted: u64,
}

/// The place of a block in a count of locals.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Times before the block.
    begun: u32,
    /// Times that counted when it began.
    counted: u64,
    /// Locals of which a time counts in it, and in no block around it.
    added: u64,
}

impl Locals {
    fn new(locals: usize) -> Self {
        Self {
            last: vec![0; locals],
            times: 0,
            counted: 0,
        }
    }

    fn begin(&self) -> Mark {
        Mark {
            begun: self.times,
            counted: self.counted,
            added: 0,
        }
    }

    /// Counts a local once in each open block that began after its last time.
    fn touch(&mut self, local: u32, blocks: &mut [Block], mark: impl Fn(&mut Block) -> &mut Mark) {
        self.times = self.times.saturating_add(1);
        let Some(last) = self.last.get_mut(local as usize) else {
            return;
        };
        let before = std::mem::replace(last, self.times);
        let (mut first, mut end) = (0, blocks.len());
        while first < end {
            let middle = (first + end) / 2;
            match mark(&mut blocks[middle]).begun < before {
                true => first = middle + 1,
                false => end = middle,
            }
        }
        if let Some(block) = blocks.get_mut(first) {
            let mark = mark(block);
            mark.added = mark.added.saturating_add(1);
            self.counted = self.counted.saturating_add(1);
        }
    }

    /// Returns the number of locals in a block that ends.
    fn end(&mut self, mark: Mark) -> u64 {
        let count = self.counted.saturating_sub(mark.counted);
        self.counted = self.counted.saturating_sub(mark.added);
        count
    }
}

impl Merges {
    /// Begins a function with so many locals.
    pub(super) fn new(locals: u64) -> Self {
        let locals = usize::try_from(locals).unwrap_or(usize::MAX);
        Self {
            blocks: Vec::new(),
            assigned: Locals::new(locals),
            used: Locals::new(locals),
            chained: 0,
            squares: 0,
            loops: 0,
        }
    }

    /// Returns the estimated microseconds of compile time.
    pub(super) fn work(&self) -> u64 {
        let open = self.chained.saturating_mul(self.chained);
        let loops = self.loops.saturating_mul(self.loops);
        let loops = loops.saturating_mul(LOOPS_TIME) / LOOPS;
        (self.squares.saturating_add(open) / PAIRS).saturating_add(loops)
    }

    /// Goes past an operator.
    pub(super) fn step(&mut self, operator: &Operator<'_>) {
        match operator {
            Operator::LocalGet { local_index } => self.read(*local_index),
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                self.assign(*local_index);
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
            is_target: false,
            assigned: self.assigned.begin(),
            used: self.used.begin(),
        });
    }

    fn read(&mut self, local: u32) {
        self.used
            .touch(local, &mut self.blocks, |block| &mut block.used);
    }

    fn assign(&mut self, local: u32) {
        self.assigned
            .touch(local, &mut self.blocks, |block| &mut block.assigned);
        self.read(local);
    }

    /// Notes a branch. The outermost label is the function, which merges nothing.
    fn branch(&mut self, depth: u32) {
        let index = self.blocks.len().checked_sub(1 + depth as usize);
        if let Some(block) = index.and_then(|index| self.blocks.get_mut(index)) {
            block.is_target = true;
        }
    }

    fn end(&mut self) {
        let Some(block) = self.blocks.pop() else {
            return;
        };
        let assigned = self.assigned.end(block.assigned);
        let used = self.used.end(block.used);
        let merges = match block.kind {
            Kind::If => assigned,
            // At its beginning, where the compiler does not know yet what is assigned in it, and behind it.
            Kind::Loop if block.is_target => used.saturating_mul(2),
            Kind::Plain if block.is_target => assigned,
            Kind::Loop | Kind::Plain => 0,
        };
        if block.kind == Kind::Loop && block.is_target {
            self.loops = self.loops.saturating_add(1);
        }
        self.chained = self.chained.saturating_add(merges);
        if self.blocks.is_empty() {
            let square = self.chained.saturating_mul(self.chained);
            self.squares = self.squares.saturating_add(square);
            self.chained = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Assigned locals are counted as a look at all of them counts them.
    #[test]
    fn locals_that_a_block_assigns_are_counted_once() {
        let mut merges = Merges::new(5);
        // Blocks with the locals that were assigned in them.
        let mut open: Vec<std::collections::BTreeSet<u32>> = Vec::new();
        let mut state = 1_u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match (state >> 24) % 5 {
                0 if open.len() < 9 => {
                    merges.begin(Kind::If);
                    open.push(std::collections::BTreeSet::new());
                }
                1 => {
                    if let Some(block) = open.pop() {
                        let before = merges.chained;
                        merges.end();
                        if !open.is_empty() {
                            assert_eq!(merges.chained - before, block.len() as u64);
                        }
                    }
                }
                _ => {
                    let local = (state >> 16) % 5;
                    merges.assign(local);
                    for block in &mut open {
                        block.insert(local);
                    }
                }
            }
        }
    }
}
