//! Places of calls and their answers in a journal, by ticket.

use super::Entry;
use super::line::{Line, Said};

/// The places of lines that name a ticket, so that none is searched for line by line: a journal
/// has up to two million of them.
#[derive(Debug, Default)]
pub(crate) struct Places {
    calls: Tickets,
    /// Calls whose answers come in lines of their own.
    deferred: Tickets,
    answers: Tickets,
    /// The last line that ends a turn, or at which a player stops.
    last_end: Option<usize>,
}

/// Tickets with the places of their lines, in order.
#[derive(Debug, Default)]
struct Tickets(Vec<(u64, usize)>);

impl Tickets {
    /// Returns the first place of the ticket that is not before `from`.
    fn first(&self, ticket: u64, from: usize) -> Option<usize> {
        let at = self.0.partition_point(|&place| place < (ticket, from));
        let (found, place) = *self.0.get(at)?;
        (found == ticket).then_some(place)
    }
}

impl Places {
    pub(crate) fn new(entries: &[Entry]) -> Self {
        let mut places = Self::default();
        for (place, entry) in entries.iter().enumerate() {
            if ends_turn(entry) {
                places.last_end = Some(place);
            }
            match &entry.line {
                Some(Line::Call(call)) => {
                    places.calls.0.push((call.ticket, place));
                    if call.reply == Said::Pending {
                        places.deferred.0.push((call.ticket, place));
                    }
                }
                Some(Line::Answer { ticket, .. }) => places.answers.0.push((*ticket, place)),
                _ => {}
            }
        }
        for tickets in [&mut places.calls, &mut places.deferred, &mut places.answers] {
            tickets.0.sort_unstable();
        }
        places
    }

    /// Returns the place of the first call of this ticket.
    pub(crate) fn call(&self, ticket: u64) -> Option<usize> {
        self.calls.first(ticket, 0)
    }

    /// Returns whether a call of this ticket, which is answered later, stands before a place.
    pub(crate) fn is_asked_before(&self, ticket: u64, place: usize) -> bool {
        let asked = self.deferred.first(ticket, 0);
        asked.is_some_and(|asked| asked < place)
    }

    /// Returns the first place from `from` on with an answer to this ticket.
    pub(crate) fn answer(&self, ticket: u64, from: usize) -> Option<usize> {
        self.answers.first(ticket, from)
    }

    /// Returns whether a turn that is at `from` comes to its end.
    pub(crate) fn ends_turn_from(&self, from: usize) -> bool {
        self.last_end.is_some_and(|end| from <= end)
    }
}

/// Returns whether a turn ends here, or going on shows what is wrong with the line.
fn ends_turn(entry: &Entry) -> bool {
    let Some(line) = entry.line.as_ref().filter(|_| !entry.altered) else {
        return true;
    };
    matches!(
        line,
        Line::Suspended { .. }
            | Line::Outcome(_)
            | Line::GivenUp { .. }
            | Line::Returned { .. }
            | Line::Failed { .. }
    )
}
