//! What is known of one key now, derived from what has happened to it.

use super::{Answer, Failed};

#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A call began.
    Asked,
    Answered(Answer),
    Failed(Failed),
    /// Nobody waits for the call any more.
    Dropped,
    Refreshed,
    Renewed {
        retryable_only: bool,
    },
    /// The order does not need it.
    Unneeded,
}

/// All that has happened to a key, the oldest first. Its calls follow one another.
#[derive(Debug, Default)]
pub(crate) struct History(pub(super) Vec<Event>);

impl History {
    /// The last record that the host has found, unless a later answer replaced it.
    pub(crate) fn found(&self) -> Option<&str> {
        match self.answer(self.answered()?)? {
            Answer::Found(record) => Some(record),
            _ => None,
        }
    }

    /// The last answer, unless a refresh came after its question.
    pub(super) fn current(&self) -> Option<&Answer> {
        let place = self.answered()?;
        let is_refreshed = self.is_old(place) || self.any_since(place, Event::is_refresh);
        self.answer(place).filter(|_| !is_refreshed)
    }

    /// The failure of the last call.
    pub(super) fn failed(&self) -> Option<&Failed> {
        match &self.0[self.turn()?] {
            Event::Failed(failed) => Some(failed),
            _ => None,
        }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.failed().is_none() && self.current().is_none()
    }

    pub(super) fn is_settled(&self) -> bool {
        self.failed().is_none() && matches!(self.current(), Some(Answer::Found(_)))
    }

    pub(super) fn is_wanted(&self) -> bool {
        let is_open = matches!(self.current(), None | Some(Answer::Wrong(..)));
        is_open && !self.waits_for_renewal() && !self.is_out()
    }

    /// Whether the last call failed and is not to be repeated.
    fn waits_for_renewal(&self) -> bool {
        let Some(turn) = self.turn() else {
            return false;
        };
        let is_retryable = match &self.0[turn] {
            Event::Failed(failed) => failed.is_retryable,
            Event::Answered(Answer::Wrong(..)) => false,
            _ => return false,
        };
        !self.any_since(turn, |event| {
            matches!(event, Event::Renewed { retryable_only } if is_retryable || !retryable_only)
        })
    }

    fn is_out(&self) -> bool {
        let is_of_call = |event: &&Event| event.is_end() || matches!(event, Event::Asked);
        let last = self.0.iter().rfind(is_of_call);
        matches!(last, Some(Event::Asked))
    }

    /// The place of the last answer that is news. Only a record outlives the order's need of it.
    fn answered(&self) -> Option<usize> {
        let is_news = |place: &usize| self.answer(*place).is_some() && self.is_news(*place);
        let place = (0..self.0.len()).rfind(is_news)?;
        let is_record = matches!(self.answer(place), Some(Answer::Found(_)));
        let is_unneeded = self.any_since(place, |event| matches!(event, Event::Unneeded));
        (is_record || !is_unneeded).then_some(place)
    }

    /// The place of the last event that says how the calls stand.
    fn turn(&self) -> Option<usize> {
        (0..self.0.len()).rfind(|place| match &self.0[*place] {
            Event::Refreshed | Event::Unneeded => true,
            _ => self.is_news(*place),
        })
    }

    /// Whether a call ended here with something new: a record always, anything else only without a refresh during the call.
    fn is_news(&self, place: usize) -> bool {
        match &self.0[place] {
            Event::Answered(Answer::Found(_)) => true,
            Event::Answered(_) | Event::Failed(_) => !self.is_old(place),
            _ => false,
        }
    }

    /// Whether somebody refreshed while the call was out that ended here.
    fn is_old(&self, end: usize) -> bool {
        let before = self.0[..end].iter().rev();
        let mut out = before.take_while(|event| !matches!(event, Event::Asked));
        out.any(Event::is_refresh)
    }

    fn any_since(&self, place: usize, is_it: impl Fn(&Event) -> bool) -> bool {
        self.0[place..].iter().any(is_it)
    }

    fn answer(&self, place: usize) -> Option<&Answer> {
        match &self.0[place] {
            Event::Answered(answer) => Some(answer),
            _ => None,
        }
    }
}

impl Event {
    fn is_refresh(&self) -> bool {
        matches!(self, Self::Refreshed)
    }

    fn is_end(&self) -> bool {
        matches!(self, Self::Answered(_) | Self::Failed(_) | Self::Dropped)
    }
}
