//! Matches and their results.

use std::sync::Arc;

use matchwright_queue::{EventKind, MatchId};

use super::Service;
use crate::backfill::{NewBackfill, backfill};
use crate::limits::{TEXT, check_text};
use crate::note::Note;
use crate::pending::Pending;
use crate::problem::Problem;
use crate::request::{MatchResult, find, leave, report, unknown};
use crate::view::{MatchView, Phase};

impl Service {
    /// A match.
    pub fn match_by_id(&self, match_id: &str) -> Pending<MatchView> {
        let id = match_id.to_owned();
        self.look(move |ledger| {
            let number = find(ledger, 'm', "match", &id)?;
            ledger.match_view(number).ok_or_else(|| unknown("match", &id))
        })
    }

    /// A match has a place where it is played; told again, nothing changes.
    pub fn assign(&self, match_id: &str, connection: &str) -> Pending<MatchView> {
        let connection = connection.to_owned();
        self.of_match(match_id, move |desk, match_id, phase| {
            check_text("a connection", &connection, TEXT)?;
            let entry = desk.ledger.match_entry(match_id);
            if entry.is_some_and(|entry| entry.connection.as_deref() == Some(&*connection)) {
                return Ok(None);
            }
            match phase {
                Phase::Allocating | Phase::Assigned => {
                    desk.note(Note::Assigned { match_id, connection });
                    Ok(None)
                }
                Phase::Started | Phase::Ended | Phase::Failed => Err(Problem::Invalid(
                    "the match has started, or is over: it keeps its server".to_owned(),
                )),
            }
        })
    }

    /// A match has started, and can no longer fail.
    pub fn started(&self, match_id: &str) -> Pending<MatchView> {
        self.of_match(match_id, |desk, match_id, phase| {
            if matches!(phase, Phase::Allocating | Phase::Assigned) {
                // The queue may have forgotten by now that it could fail: it is played all the same.
                desk.event(EventKind::Confirm(MatchId(match_id)));
                desk.note(Note::Started { match_id });
            }
            Ok(None)
        })
    }

    /// A match did not start: its tickets wait again, since they came at first.
    pub fn failed(&self, match_id: &str) -> Pending<MatchView> {
        self.of_match(match_id, |desk, match_id, phase| {
            if phase == Phase::Ended {
                return Err(Problem::Invalid("the match is over: it cannot fail".to_owned()));
            }
            let is_new = phase != Phase::Failed;
            Ok(is_new.then(|| desk.event(EventKind::FailMatch(MatchId(match_id)))))
        })
    }

    /// A player leaves a match that has not started: the match fails, the player's ticket goes, the others wait again.
    pub fn leave(&self, match_id: &str, player: &str) -> Pending<MatchView> {
        let (name, cooldown) = (player.to_owned(), self.inner.settings.leave_cooldown);
        self.of_match(match_id, move |desk, match_id, _| {
            leave(desk, match_id, &name, cooldown)
        })
    }

    /// Players have left a match while it is played: they are free, and others are looked for, who come into the match. Asked again, it
    /// changes nothing unless more have left; then all free places are offered anew.
    pub fn backfill(&self, match_id: &str, asked: NewBackfill) -> Pending<MatchView> {
        let settings = Arc::clone(&self.inner.settings);
        self.of_match(match_id, move |desk, match_id, _| {
            backfill(desk, match_id, asked, &settings)
        })
    }

    /// No others are looked for any more.
    pub fn end_backfill(&self, match_id: &str) -> Pending<MatchView> {
        self.of_match(match_id, |desk, match_id, _| {
            let entry = desk.ledger.match_entry(match_id).filter(|entry| entry.is_on());
            let search = entry.and_then(|entry| entry.backfill);
            // Not asked whether it was followed: the search may end in this step by itself.
            search.map(|ticket| desk.cancel(ticket, None));
            Ok(None)
        })
    }

    /// A match ended so: its players are free, and rated by it.
    pub fn report(&self, match_id: &str, result: MatchResult) -> Pending<MatchView> {
        let id = match_id.to_owned();
        self.act(
            Some(id.clone()),
            move |desk| {
                let match_id = find(desk.ledger, 'm', "match", &id)?;
                report(desk, match_id, &id, &result)?;
                Ok((None, (match_id, id)))
            },
            |ledger, (match_id, id)| match ledger.match_view(match_id) {
                Some(view) if view.places.is_some() => Ok(view),
                Some(_) => Err(Problem::Forgotten { match_id: id }),
                None => Err(unknown("match", &id)),
            },
        )
    }

    /// A result does not count any more: ratings are as without it.
    pub fn retract(&self, match_id: &str) -> Pending<MatchView> {
        let id = match_id.to_owned();
        self.act(
            Some(id.clone()),
            move |desk| {
                let match_id = find(desk.ledger, 'm', "match", &id)?;
                match desk.ledger.match_entry(match_id) {
                    Some(entry) if entry.places.is_some() => {}
                    _ => return Err(unknown("result of match", &id)),
                }
                desk.note(Note::Retracted { match_id });
                Ok((None, (match_id, id)))
            },
            |ledger, (match_id, id)| match ledger.match_view(match_id) {
                Some(view) if view.is_retracted => Ok(view),
                Some(_) => Err(Problem::Forgotten { match_id: id }),
                None => Err(unknown("match", &id)),
            },
        )
    }

    /// What happens to a match, and how it is then.
    fn of_match(
        &self,
        match_id: &str,
        run: impl FnOnce(&mut crate::desk::Desk<'_>, u64, Phase) -> Result<Option<u64>, Problem> + Send + 'static,
    ) -> Pending<MatchView> {
        let id = match_id.to_owned();
        self.act(
            Some(id.clone()),
            move |desk| {
                let match_id = find(desk.ledger, 'm', "match", &id)?;
                let entry = desk.ledger.match_entry(match_id);
                let phase = entry.ok_or_else(|| unknown("match", &id))?.phase;
                Ok((run(desk, match_id, phase)?, (match_id, id)))
            },
            |ledger, (match_id, id)| ledger.match_view(match_id).ok_or_else(|| unknown("match", &id)),
        )
    }
}
