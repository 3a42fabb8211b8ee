//! What files say, as ratings, scoring and the queue call it.

use std::collections::BTreeMap;

use matchwright_import::{ImportError, Players, Value, Values};
use matchwright_scoring::{ChurnByOutcome, Player, Pool, PoolError};

/// The players of a file as a checked pool, in their order. O(n).
///
/// # Errors
/// [`ImportError`] with the line of a player that is none for a matchmaker.
pub fn pool_of(players: &Players) -> Result<Pool, ImportError> {
    let mut pool = Pool::default();
    for player in &players.players {
        let refuse = |what: &dyn std::fmt::Display| players.refuse(&player.id, what);
        let entered = player_of(&player.id, &player.values).map_err(|error| refuse(&error))?;
        pool.insert(entered).map_err(|error| refuse(&error))?;
    }
    pool.check_regions()
        .map_err(|error| refuse_player(players, &error))?;
    Ok(pool)
}

/// What is wrong with a player of a pool, with the line that it stands in.
#[must_use]
pub fn refuse_player(players: &Players, error: &PoolError) -> ImportError {
    let id = match error {
        PoolError::DuplicateId { id: player, .. }
        | PoolError::Number { player, .. }
        | PoolError::EmptyName { player, .. }
        | PoolError::OwnName { player, .. }
        | PoolError::UnknownRegion { player, .. }
        | PoolError::PartyTooLarge { player, .. }
        | PoolError::Missing { player, .. } => player,
        _ => "",
    };
    players.refuse(id, error)
}

fn player_of(id: &str, values: &Values) -> Result<Player, matchwright_scoring::ScoringError> {
    let number = |key: &str| values.get(key).and_then(Value::number);
    let text = |key: &str| values.get(key).and_then(Value::text).map(str::to_owned);
    let texts = |key: &str| {
        values
            .get(key)
            .map_or_else(Vec::new, |value| value.texts().to_vec())
    };
    let flag = |key: &str| match values.get(key) {
        Some(Value::Flag(flag)) => Some(*flag),
        _ => None,
    };
    let numbers = |key: &str| match values.get(key) {
        Some(Value::Numbers(numbers)) => numbers.clone(),
        _ => BTreeMap::new(),
    };
    let churn = numbers("churn");
    let after = |outcome: &str| churn.get(outcome).copied();
    let churn = match (after("win"), after("draw"), after("loss")) {
        (Some(win), Some(draw), Some(loss)) => Some(ChurnByOutcome::new(win, draw, loss)?),
        _ => None,
    };
    Ok(Player {
        skill: number("skill"),
        uncertainty: number("uncertainty"),
        party: text("party"),
        region: text("region"),
        pings: numbers("pings"),
        ping_to: numbers("ping_to"),
        experience: number("experience").map(count),
        languages: texts("languages"),
        roles: texts("roles"),
        recent_opponents: texts("recent_opponents"),
        recent_teammates: texts("recent_teammates"),
        blocks: texts("blocks"),
        friends: texts("friends"),
        griefer: flag("griefer").unwrap_or(false),
        wait_seconds: number("wait_seconds"),
        can_host: flag("can_host"),
        connects_to: values.contains_key("connects_to").then(|| texts("connects_to")),
        offence: number("offence"),
        defence: number("defence"),
        glory: number("glory"),
        churn,
        ..Player::new(id)
    })
}

/// A number of games.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is whole, and no less than 0"
)]
fn count(number: f64) -> u64 {
    number as u64
}

#[cfg(feature = "rate")]
pub use matches::{enter, read_history};
#[cfg(feature = "replay")]
pub use tickets::{LoggedTickets, logged};

#[cfg(feature = "rate")]
mod matches {
    use matchwright_import::{ImportError, Input, Match, MatchOptions, Matches, Report, RowError, TakeMatch};
    use matchwright_rating::history::{History, HistoryBuilder, HistoryError, NamedSeat};

    /// Reads all matches of an input as a history, with what was found besides.
    ///
    /// ```
    /// use matchwright_import::{Input, MatchOptions};
    /// use matchwright_sim::adapt::read_history;
    ///
    /// let file = "time,winner,loser\n2024-05-01,ann,bob\n2024-05-02,cyd,ann\n";
    /// let (history, report) = read_history(Input::new("club.csv", file.as_bytes()), &MatchOptions::default())?;
    /// assert_eq!((history.len(), report.skipped), (2, 0));
    /// # Ok::<(), matchwright_import::ImportError>(())
    /// ```
    ///
    /// # Errors
    /// [`ImportError`] with path, line and column of what cannot be used.
    pub fn read_history(input: Input, options: &MatchOptions) -> Result<(History, Report), ImportError> {
        let mut taker = Taker(HistoryBuilder::default().keep_repeats(options.keep_repeats));
        let mut matches = Matches::open(input, options)?;
        matches.hand_over(&mut taker)?;
        let history = taker.0.finish();
        let report = matches.report(history.players().iter().map(String::as_str))?;
        Ok((history, report))
    }

    struct Taker(HistoryBuilder);

    impl TakeMatch for Taker {
        type Error = ImportError;

        fn foresee<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
            self.0.foresee(names);
        }

        fn take(&mut self, game: &Match<'_>) -> Result<Result<(), RowError>, ImportError> {
            Ok(enter(&mut self.0, game))
        }
    }

    /// Adds a match to a history.
    ///
    /// # Errors
    /// What is wrong with its row, where the history refuses it, and how to mend it.
    pub fn enter(builder: &mut HistoryBuilder, game: &Match<'_>) -> Result<(), RowError> {
        let mut entry = builder.start(game.time());
        entry.context(game.context().unwrap_or_default());
        for side in game.sides() {
            entry.side(side.place, side.score);
            for member in side.members {
                entry.seat(NamedSeat {
                    player: &member.name,
                    share: member.share,
                    party: member.party,
                    performance: member.performance,
                });
            }
        }
        entry.finish().map_err(|error| match &error {
            HistoryError::Unsorted { .. } => {
                game.refuse_time(format_args!("{error}; sort the file by time, or use --sort"))
            }
            HistoryError::Duplicate => game.refuse(format_args!(
                "{error}; remove it, or use --keep-repeats if they did play twice"
            )),
            HistoryError::TwoSides { player, .. }
            | HistoryError::Twice { player, .. }
            | HistoryError::Share { player, .. } => game.refuse_player(player, &error),
            _ => game.refuse_sides(&error),
        })
    }
}

#[cfg(feature = "replay")]
mod tickets {
    use std::collections::HashMap;

    use matchwright_import::{Ticket, Value, Values};
    use matchwright_queue::{
        Attributes, Backfill, MatchId, Member, PlayerId, Ticket as QueueTicket, TicketId, Time,
        Value as QueueValue,
    };

    use crate::replay::{LogError, LoggedMatch, LoggedTicket, MatchMember, TicketLog};

    /// The tickets of a file as the queue knows them, numbered from 1 in their order, as their players are; each player has
    /// its name as the attribute `name`, by which scoring looks it up. With what the file calls each ticket, and each
    /// match, which are numbered likewise.
    ///
    /// # Errors
    /// [`LogError`], where the tickets make no log.
    pub fn logged(tickets: Vec<Ticket>) -> Result<LoggedTickets, LogError> {
        let matches = matches_of(&tickets);
        let (tickets, names) = numbered(tickets);
        let (match_names, matches): (Vec<String>, Vec<LoggedMatch>) = matches.into_iter().unzip();
        Ok(LoggedTickets {
            log: TicketLog::new(tickets)?.with_matches(matches),
            names,
            match_names,
        })
    }

    /// The tickets of a file as a log.
    #[derive(Debug, Clone, PartialEq)]
    pub struct LoggedTickets {
        /// The log.
        pub log: TicketLog,
        /// What the file calls each ticket, from ticket 1 on.
        pub names: Vec<String>,
        /// What the file calls each match, from match 1 on.
        pub match_names: Vec<String>,
    }

    /// The matches in the order in which the file begins to tell of them, by name.
    fn matches_of(tickets: &[Ticket]) -> Vec<(String, LoggedMatch)> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut matches: Vec<(&str, Vec<MatchMember<'_>>)> = Vec::new();
        for (number, ticket) in (1..).zip(tickets) {
            let Some(name) = &ticket.match_name else { continue };
            let place = *places.entry(name).or_insert(matches.len());
            if place == matches.len() {
                matches.push((name, Vec::new()));
            }
            matches[place].1.push(MatchMember {
                ticket: TicketId(number),
                players: ticket.players.len(),
                team: ticket.team.as_deref(),
            });
        }
        let numbered = (1..).zip(matches);
        numbered
            .map(|(number, (name, members))| (name.to_owned(), LoggedMatch::of(number, &members)))
            .collect()
    }

    fn numbered(tickets: Vec<Ticket>) -> (Vec<LoggedTicket>, Vec<String>) {
        let mut players: HashMap<String, PlayerId> = HashMap::new();
        let mut one = |(number, ticket): (u64, Ticket)| {
            let members = ticket.players.into_iter().map(|player| {
                let next = PlayerId(players.len() as u64 + 1);
                let known = players.get(&player.name).copied();
                let id = known.unwrap_or_else(|| {
                    players.insert(player.name.clone(), next);
                    next
                });
                let mut attributes = attributes_of(player.attributes);
                attributes.insert("name".to_owned(), QueueValue::Text(player.name));
                Member { id, attributes }
            });
            let backfill = ticket.backfill.map(|backfill| {
                Box::new(Backfill {
                    match_id: MatchId(backfill.match_id),
                    teams: backfill.teams,
                })
            });
            let logged = LoggedTicket {
                ticket: QueueTicket {
                    id: TicketId(number),
                    players: members.collect(),
                    queues: ticket.queues,
                    regions: ticket.regions.into_iter().collect(),
                    attributes: attributes_of(ticket.attributes),
                    backfill,
                    ..QueueTicket::of(0, [])
                },
                came: Time::from_millis(ticket.came),
                left: ticket.left.map(Time::from_millis),
                matched: ticket.matched.map(Time::from_millis),
            };
            (logged, ticket.name)
        };
        (1..).zip(tickets).map(&mut one).unzip()
    }

    fn attributes_of(values: Values) -> Attributes {
        let both = values.into_iter();
        both.map(|(name, value)| (name, value_of(value))).collect()
    }

    /// A value as the queue knows it.
    fn value_of(value: Value) -> QueueValue {
        match value {
            Value::Flag(flag) => QueueValue::Flag(flag),
            Value::Number(number) => QueueValue::Number(number),
            Value::Text(text) => QueueValue::Text(text),
            Value::Texts(texts) => QueueValue::Texts(texts),
            Value::Numbers(numbers) => QueueValue::Numbers(numbers),
        }
    }
}
