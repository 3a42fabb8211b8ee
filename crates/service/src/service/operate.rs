//! What those do and see who run a service.

use matchwright_queue::{EventKind, QueueStatus, TicketId, Why};
use matchwright_rating::RatingParams;

use super::Service;
use crate::note::Note;
use crate::pending::Pending;
use crate::problem::Problem;
use crate::request::{find, unknown};
use crate::shard::Message;
use crate::stats::Stats;
use crate::view::{Left, MatchView, QueueView, TicketView};

impl Service {
    /// The policy of another document decides from now on. Refused with a reason if it makes none, or if a ticket that waits has no place
    /// in it; the old one stays then.
    pub fn set_policy(&self, document: &str) -> Pending<()> {
        let document = document.to_owned();
        self.send(|reply| Message::Policy(document, reply))
    }

    /// Whether a document makes a policy, without any effect: its name and version.
    ///
    /// # Errors
    /// [`Problem::Refused`].
    pub fn check_policy(&self, document: &str) -> Result<[String; 2], Problem> {
        let loaded = (self.inner.load)(document).map_err(|why| Problem::Refused(why, "policy"))?;
        Ok([loaded.label.name, loaded.label.version])
    }

    /// The document of the policy in force.
    #[must_use]
    pub fn policy(&self) -> String {
        self.inner.shared.document()
    }

    /// How results are rated; `None` where ratings are kept elsewhere. A folder keeps what it began with.
    pub fn rating_params(&self) -> Pending<Option<RatingParams>> {
        self.look(|ledger| Ok(ledger.ratings().map(|ratings| ratings.params().clone())))
    }

    /// A queue runs, makes no matches, or takes no tickets.
    pub fn set_status(&self, queue: &str, status: QueueStatus) -> Pending<()> {
        let queue = queue.to_owned();
        self.act(
            None,
            move |desk| {
                let event = desk.event(match status {
                    QueueStatus::Running => EventKind::Resume(queue),
                    QueueStatus::Paused => EventKind::Pause(queue),
                    QueueStatus::Draining => EventKind::Drain(queue),
                });
                Ok((Some(event), ()))
            },
            |_, ()| Ok(()),
        )
    }

    /// A player is known no more: its ticket is cancelled, and its name and rating are out of the state at once, of what is saved with the
    /// next snapshot, and of the journal once its old segments are removed. Refused while it is in a match.
    pub fn erase(&self, player: &str) -> Pending<()> {
        let name = player.to_owned();
        self.act(
            None,
            move |desk| {
                let player = desk
                    .ledger
                    .player(&name)
                    .ok_or_else(|| unknown("player", &name))?;
                if let Some(match_id) = desk.ledger.playing(player) {
                    return Err(Problem::PlayerPlays {
                        player: name,
                        match_id: desk.ledger.id('m', match_id),
                    });
                }
                if let Some(ticket) = desk.ledger.ticket_of(player) {
                    if desk.ledger.gathering(ticket).is_some() {
                        let reason = Left::Cancelled;
                        desk.note(Note::Dissolved { ticket, reason });
                    } else {
                        // Refused where it is over.
                        desk.event(EventKind::cancel(ticket));
                    }
                }
                desk.note(Note::Erased { player });
                Ok((None, ()))
            },
            |_, ()| Ok(()),
        )
    }

    /// Saves the whole state, from which the next start begins, and removes segments that are no longer kept; on the caller's thread.
    ///
    /// # Errors
    /// [`Problem::Stopped`].
    pub fn save(&self) -> Result<u64, Problem> {
        self.inner.beside.save()
    }

    /// What keeps a ticket waiting; on the caller's thread.
    ///
    /// # Errors
    /// [`Problem`] if there is no such ticket.
    pub fn why(&self, ticket: &str) -> Result<Why, Problem> {
        let now = self.inner.clock.now();
        self.inner.beside.look(|copy| {
            let ticket = find(copy.attached(), 't', "ticket", ticket)?;
            Ok(copy.why(TicketId(ticket), now))
        })
    }

    /// The queues, and who waits in them; O(those who wait), on the caller's thread.
    ///
    /// # Errors
    /// [`Problem::Stopped`].
    pub fn queues(&self) -> Result<Vec<QueueView>, Problem> {
        let now = self.inner.clock.now();
        self.inner.beside.look(|copy| {
            let (state, pool) = (copy.state(), copy.state().pool());
            let view = |name: &std::sync::Arc<str>| {
                let waiting = pool.tickets().filter(|waiting| waiting.is_in(name));
                let (mut tickets, mut players, mut oldest) = (0, 0, 0);
                for waiting in waiting {
                    tickets += 1;
                    players += waiting.ticket.players.len();
                    oldest = oldest.max(waiting.waited(now.max(state.now())));
                }
                let any = matchwright_queue::Ticket::of_one(0, 0);
                let expected = state.estimates().estimate(&any, name);
                QueueView {
                    name: name.to_string(),
                    teams: pool.teams(name).to_vec(),
                    status: pool.status(name).unwrap_or_default(),
                    tickets,
                    players,
                    oldest: oldest as f64 / 1000.0,
                    expected: expected.map_or([None; 3], |estimate| estimate.quantiles),
                }
            };
            Ok(pool.queues().map(view).collect())
        })
    }

    /// Tickets by number after the one of this name: at most `most` that are as asked for; O(all that are known), on the caller's
    /// thread.
    ///
    /// # Errors
    /// [`Problem`] if `after` is no name of a ticket.
    pub fn tickets(
        &self,
        after: Option<&str>,
        most: usize,
        is_asked: impl Fn(&TicketView) -> bool,
    ) -> Result<Vec<TicketView>, Problem> {
        self.inner.beside.look(|copy| {
            let ledger = copy.attached();
            let after = after.map(|id| find(ledger, 't', "ticket", id)).transpose()?;
            Ok(ledger.tickets_after(after, most, is_asked))
        })
    }

    /// The same of matches.
    ///
    /// # Errors
    /// [`Problem`] if `after` is no name of a match.
    pub fn matches(
        &self,
        after: Option<&str>,
        most: usize,
        is_asked: impl Fn(&MatchView) -> bool,
    ) -> Result<Vec<MatchView>, Problem> {
        self.inner.beside.look(|copy| {
            let ledger = copy.attached();
            let after = after.map(|id| find(ledger, 'm', "match", id)).transpose()?;
            Ok(ledger.matches_after(after, most, is_asked))
        })
    }

    /// What was done by now, and how fast.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.inner.shared.stats(self.inner.clock.now().millis())
    }
}
