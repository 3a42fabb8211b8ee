//! A replay as text and tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use matchwright_report::{Column, Table, brief, count, counted, visible_line};
use matchwright_sim::replay::{
    Comparison, Costs, Fate, LoggedTicket, NoInterval, ReplayedMatch, ReplayedTicket,
};

use super::answer::{Kept, PolicyAnswer, RECORDED, ReplayAnswer};
use crate::commands::judging::objective_in_words;
use crate::commands::versus::{Alone, Versus, lower_first, quoted, rounded};
use crate::commands::waits::wait_table;

impl ReplayAnswer {
    /// All that is printed; `seconds` is how long the hindsight optimum took.
    pub(super) fn text(&self, seconds: Option<f64>) -> String {
        let mut text = format!(
            "{} of {} in {}\n",
            counted(self.tickets, "ticket", "tickets"),
            counted(self.players, "player", "players"),
            super::words::span(self.seconds)
        );
        let mut line = |words: String| {
            let _ = writeln!(text, "{words}");
        };
        line(format!(
            "Judged by {}: {}",
            self.judged_by,
            objective_in_words(&self.objective)
        ));
        line(self.tail_in_words());
        line("What cannot be observed:".to_owned());
        let named = self.unobserved.iter().map(|what| format!("- {what}"));
        let named = named
            .chain(self.recomputed_in_words())
            .chain(self.patience_in_words());
        named.for_each(|words| line(visible_line(&words).into_owned()));
        line(format!("\n{}", self.answer()));
        for table in self.tables().into_iter().chain(self.kept_table()) {
            line(format!("\n{}", table.to_text().trim_end()));
        }
        self.comparisons_in_words()
            .into_iter()
            .for_each(|words| line(format!("\n{}", visible_line(&words))));
        self.hindsight_in_words(seconds)
            .into_iter()
            .for_each(|words| line(format!("\n{words}")));
        for policy in self.policies.iter().filter(|policy| !policy.explained.is_empty()) {
            let name = visible_line(&policy.name);
            line(format!("\nOverdue under {name}, the longest waits:"));
            for one in &policy.explained {
                for (place, words) in one.lines.iter().enumerate() {
                    let begin = if place == 0 { "- " } else { "    " };
                    line(format!("{begin}{}", visible_line(words)));
                }
            }
        }
        text
    }

    /// When the log ends.
    pub(crate) fn tail_in_words(&self) -> String {
        let end = self.log.end(self.tail_seconds);
        let later = |logged: &&LoggedTicket| logged.left.is_some_and(|left| left > end);
        let later = match self.log.tickets().iter().filter(later).count() {
            0 => String::new(),
            later => format!("; {later} of the tickets leave later than that"),
        };
        let lost = self.objective.lost.map_or("", |_| ", and is lost");
        format!(
            "The log ends {} s after its last ticket (--tail): who waits then has waited until then{lost}{later}",
            self.tail_seconds
        )
    }

    /// Whether a journal comes out the same.
    pub(crate) fn recomputed_in_words(&self) -> Option<String> {
        let recomputed = self.recomputed.as_ref()?;
        let (same, first) = (
            count(recomputed.same as u64),
            "computed again under the policies that it records",
        );
        Some(match &recomputed.difference {
            None => format!("Journal: all {same} records come out the same, {first}."),
            Some(difference) => {
                format!("Journal: {same} records come out the same, {first}; then {difference}.")
            }
        })
    }

    /// What was assumed of tickets that did not leave.
    pub(crate) fn patience_in_words(&self) -> Option<String> {
        let patience = self.patience.as_ref()?;
        let from = patience.fitted.map_or_else(
            || "as given".to_owned(),
            |fitted| {
                format!(
                    "fitted by maximum likelihood to {} that left and {} matched before they did; standard error {:.1} s",
                    fitted.leavers, fitted.censored, fitted.standard_error
                )
            },
        );
        Some(format!(
            "Every figure below is an estimate: tickets that did not leave were given an exponential patience of mean \
             {:.1} s ({from}).",
            patience.mean_seconds
        ))
    }

    /// Which costs less, if that is clear: the first policy or the second, each policy or what really happened.
    pub(crate) fn comparisons_in_words(&self) -> Vec<String> {
        let mut all = Vec::new();
        if let (Some(compared), [first, second]) = (self.comparison, &self.policies[..]) {
            all.push(self.compared_in_words([&first.name, &second.name], &compared));
        }
        let with_recorded = self
            .policies
            .iter()
            .filter_map(|one| Some((one, one.less_recorded?)));
        all.extend(
            with_recorded.map(|(one, compared)| self.compared_in_words([&one.name, RECORDED], &compared)),
        );
        all
    }

    fn compared_in_words(&self, [first, second]: [&str; 2], compared: &Comparison) -> String {
        let difference = compared.test.difference;
        if difference.is_nan() {
            return format!("{first} and {second} cannot be compared: no ticket has costs under both.");
        }
        let margin = Some(compared.margin);
        let [low, high] = interval(compared);
        let clear = match (low > 0.0, high < 0.0) {
            (true, _) => format!("{second} costs less"),
            (_, true) => format!("{first} costs less"),
            _ => "no clear difference".to_owned(),
        };
        let with_interval = || {
            format!(
                "95 % interval {} to {}: {clear} (paired by {} blocks of neighbouring tickets, each of ten mean waits at least)",
                rounded(low, margin),
                rounded(high, margin),
                compared.blocks
            )
        };
        let verdict = compared
            .no_interval
            .map_or_else(with_interval, |why| no_interval_in_words(compared, why));
        format!(
            "{first} less {second}: {} per player{}, {verdict}.",
            rounded(difference, margin),
            self.estimated()
        )
    }

    /// The answer in a sentence: the first policy beside the second, else beside what really happened, else beside the
    /// best in hindsight, else alone.
    pub(crate) fn answer(&self) -> String {
        let Some(first) = self.policies.first() else {
            return String::new();
        };
        let name = quoted(&first.name);
        let versus = match (
            self.comparison,
            self.policies.get(1),
            first.less_recorded,
            &self.recorded,
        ) {
            (Some(compared), Some(second), ..) => Some((quoted(&second.name), second, compared)),
            (_, _, Some(compared), Some(recorded)) => {
                Some(("what really happened".to_owned(), recorded, compared))
            }
            _ => None,
        };
        let of_log = format!("On this log{}, ", self.estimated());
        let versus =
            versus.map(|(other, second, compared)| (other, second, compared, Beside::of(first, second)));
        // Of fewer than half of the tickets nothing is said of all.
        let versus = versus.filter(|(.., compared, beside)| {
            compared.test.difference.is_finite() && 2 * beside.tickets >= self.tickets
        });
        if let Some((other, second, compared, beside)) = versus {
            let mismatch = |one: &PolicyAnswer| Some(one.mismatch.as_ref()?.mean);
            let is_whole = beside.tickets == self.tickets;
            let mismatch = mismatch(first).zip(mismatch(second)).filter(|_| is_whole);
            let versus = Versus {
                names: [&name, &other],
                than: beside.than,
                difference: compared.test.difference,
                interval: compared.no_interval.is_none().then(|| interval(&compared)),
                wait: Some(beside.wait),
                mismatch: mismatch.map(|(first, second)| first - second),
                matched: Some(beside.matched),
            };
            let of_log = if is_whole {
                of_log
            } else {
                format!(
                    "On the {} of {} tickets of this log that have costs in both{}, ",
                    count(beside.tickets as u64),
                    count(self.tickets as u64),
                    self.estimated()
                )
            };
            return of_log + &lower_first(&versus.sentence());
        }
        let Some(cost) = first.cost_per_player else {
            return format!("{of_log}{name} admits no ticket that has costs.");
        };
        let bound = self.hindsight.as_ref().zip(first.regret_per_player);
        let regret = bound.map(|(best, regret)| {
            let at_most = if best.optimal { "" } else { "at most " };
            let share = brief(100.0 * regret / best.bound_per_player, 2);
            match (regret > 0.0, best.bound_per_player > 0.0) {
                (false, _) => ", the least that any policy could have paid".to_owned(),
                (_, true) => {
                    format!(", {at_most}{share} % more than the least that any policy could have paid")
                }
                _ => ", where it was possible to pay nothing".to_owned(),
            }
        });
        let alone = Alone {
            name: &name,
            cost,
            beside: &regret.unwrap_or_default(),
            matched: first.matched as f64 / self.tickets as f64,
            mismatch: first.mismatch.as_ref().map(|of| of.mean),
            wait: first.mean_wait(),
        };
        of_log + &alone.sentence()
    }

    /// What hindsight proves.
    pub(crate) fn hindsight_in_words(&self, seconds: Option<f64>) -> Option<String> {
        let Some(best) = &self.hindsight else {
            return self.no_hindsight.clone();
        };
        let refused = self.policies.iter().any(|one| one.refused > 0);
        let whom = if refused { "other tickets" } else { "tickets" };
        let took = seconds.map_or_else(String::new, |seconds| format!(", in {seconds:.1} s"));
        let kind = if best.optimal {
            "proven optimal"
        } else {
            "a bound that no policy beats"
        };
        let mut text = format!(
            "Hindsight{}: no policy pays less than {} per player on this log without refusing {whom} ({kind}; gap {:.2} %, verified by \
             independent code{took}); {} matches, {} unmatched.",
            self.estimated(),
            brief(best.bound_per_player, 5),
            100.0 * best.gap,
            best.matches,
            best.unmatched
        );
        for policy in &self.policies {
            let regret = policy.regret_per_player.map_or_else(
                || {
                    let first = self.policies.first().map_or("", |first| first.name.as_str());
                    let first = visible_line(first);
                    format!("unknown, as it makes other matches than {first}, for whose teams and `keys` the bound is")
                },
                |regret| {
                    let share = 100.0 * regret / best.bound_per_player;
                    let of_bound = format!(", {share:.1} % of the bound");
                    // Where hindsight pays nothing there is no share.
                    let of_bound = Some(of_bound).filter(|_| share.is_finite()).unwrap_or_default();
                    format!("{} per player{of_bound}", brief(regret, 4))
                },
            );
            let _ = write!(text, "\nRegret of {}: {regret}.", visible_line(&policy.name));
        }
        Some(text)
    }

    /// Costs, waits, matches, and what went wrong.
    pub(crate) fn tables(&self) -> Vec<Table> {
        let mut tables = vec![
            self.cost_table(),
            self.fate_table(),
            self.wait_table(),
            self.mismatch_table(),
        ];
        tables.extend(counts("Refused tickets", "Tickets", &self.policies, |one| {
            &one.refused_because
        }));
        tables.extend(counts("Solves that failed", "Times", &self.policies, |one| {
            &one.failures
        }));
        tables
    }

    fn cost_table(&self) -> Table {
        Table::of(format!("Cost per player{}", self.estimated()), self.rows())
            .column(Column::text("Policy"), |one| one.name.as_str())
            .column(Column::significant("Cost", 4), |one| one.cost_per_player)
            .column(Column::significant("Mismatch", 4), |one| {
                one.costs_per_player.map(|costs| costs.mismatch)
            })
            .column(Column::significant("Waiting", 4), |one| {
                one.costs_per_player.map(|costs| costs.waiting)
            })
            .column(Column::significant("Lost", 4), |one| {
                one.costs_per_player.map(|costs| costs.lost)
            })
            .optional_column(Column::significant("Regret", 4), |one| one.regret_per_player)
            .build()
            .note(self.counted_in_words())
            .notes(self.recorded_in_words())
    }

    /// Of which tickets it is known what really happened, and what is not known of the others.
    fn recorded_in_words(&self) -> Option<String> {
        let recorded = self.recorded.as_ref()?;
        let known = recorded.tickets().filter(|ticket| ticket.costs.is_some()).count();
        if known == self.tickets {
            return Some("As recorded: what really happened, by the log.".to_owned());
        }
        Some(format!(
            "As recorded: what really happened, over the players of the {known} of {} tickets of which that is known. Not known: {}.",
            self.tickets,
            self.not_recorded.join("; ")
        ))
    }

    /// What kept tickets waiting.
    pub(crate) fn kept_table(&self) -> Option<Table> {
        let rows: Vec<(&PolicyAnswer, &Kept)> = self
            .policies
            .iter()
            .flat_map(|one| one.kept.iter().map(move |kept| (one, kept)))
            .collect();
        (!rows.is_empty()).then(|| {
            Table::of(format!("What kept tickets waiting{}", self.estimated()), &rows)
                .column(Column::text("Policy"), |(one, _)| one.name.as_str())
                .column(Column::text("Kept by"), |(_, kept)| kept.by.words())
                .column(Column::significant("Tickets at a time", 3), |(_, kept)| {
                    kept.tickets
                })
                .column(Column::percent("Of those that waited", 1), |(_, kept)| kept.share)
                .build()
                .file("kept")
                .note(format!(
                    "At each of {} times, up to ten of those who waited were asked: by what keeps a ticket from whom it could \
                     meet first, or if it could never meet any, by what keeps most others away.",
                    rows[0].0.moments.len()
                ))
        })
    }

    /// Over which tickets costs are.
    fn counted_in_words(&self) -> String {
        let refused = self.policies.iter().any(|one| one.refused > 0);
        if self.tickets_with_costs < self.tickets {
            let admit = if self.policies.len() > 1 {
                "both policies admit"
            } else {
                "were admitted"
            };
            format!(
                "Over the players of the {} of {} tickets that {admit}: [objective] has no `lost`, the price of one that is \
                 refused.",
                self.tickets_with_costs, self.tickets
            )
        } else if refused {
            "Over the players of all tickets, once for each ticket; who is refused is lost.".to_owned()
        } else {
            "Over the players of all tickets, once for each ticket.".to_owned()
        }
    }

    fn fate_table(&self) -> Table {
        let overdue = format!("Waited over {} s", self.overdue_seconds);
        Table::of(
            format!("What became of the tickets{}", self.estimated()),
            self.rows(),
        )
        .column(Column::text("Policy"), |one| one.name.as_str())
        .column(Column::integer("Matches"), |one| one.matches)
        .column(Column::integer("Matched"), |one| one.matched)
        .column(Column::integer("Left"), |one| one.left)
        .column(Column::integer("Waiting"), |one| one.waiting)
        .column(Column::integer("Refused"), |one| one.refused)
        .optional_column(Column::integer("Not known"), |one| {
            Some(one.unknown).filter(|count| *count > 0)
        })
        .column(Column::integer(overdue), |one| one.overdue)
        .build()
    }

    fn wait_table(&self) -> Table {
        let rows = self
            .rows()
            .flat_map(|one| one.waits.iter().map(move |waits| (one.name.as_str(), waits)));
        wait_table(format!("Waits{}", self.estimated()), rows)
    }

    fn mismatch_table(&self) -> Table {
        let rows = self.rows().filter_map(|one| Some((one, one.mismatch.as_ref()?)));
        Table::of(format!("Mismatch of matches{}", self.estimated()), rows)
            .column(Column::text("Policy"), |(one, _)| one.name.as_str())
            .column(Column::significant("Mean", 3), |(_, of)| of.mean)
            .column(Column::significant("50 %", 3), |(_, of)| of.median)
            .column(Column::significant("90 %", 3), |(_, of)| of.q90)
            .column(Column::significant("Worst", 3), |(_, of)| of.worst)
            .build()
            .note(format!("Mismatch: {}.", self.mismatch_is))
    }

    /// Every ticket under each policy.
    pub(crate) fn ticket_table(&self) -> Table {
        let of_policy = |one| PolicyAnswer::tickets(one).map(move |ticket| (one, ticket));
        Table::of("Tickets", self.rows().flat_map(of_policy))
            .column(
                Column::text("policy"),
                |(one, _): (&PolicyAnswer, &ReplayedTicket)| one.name.as_str(),
            )
            .column(Column::text("ticket"), |(_, ticket)| {
                self.names.ticket(ticket.ticket)
            })
            .column(Column::integer("players"), |(_, ticket)| ticket.players)
            .column(Column::text("fate"), |(_, ticket)| fate(ticket.fate))
            .column(Column::text("match"), |(one, ticket)| match ticket.fate {
                Fate::Matched(0) => None,
                Fate::Matched(made) => Some(self.match_name(one, made)),
                _ => None,
            })
            .column(Column::number("waited", 3), |(_, ticket)| ticket.waited)
            .column(Column::number("mismatch_cost", 4), |(_, ticket)| {
                cost(ticket, |costs| costs.mismatch)
            })
            .column(Column::number("waiting_cost", 4), |(_, ticket)| {
                cost(ticket, |costs| costs.waiting)
            })
            .column(Column::number("lost_cost", 4), |(_, ticket)| {
                cost(ticket, |costs| costs.lost)
            })
            .build()
    }

    /// Every match under each policy.
    pub(crate) fn match_table(&self) -> Table {
        let of_policy = |one| PolicyAnswer::matches(one).map(move |made| (one, made));
        let team = |team: &Vec<matchwright_queue::TicketId>| {
            let names: Vec<String> = team.iter().map(|ticket| self.names.ticket(*ticket)).collect();
            names.join(" + ")
        };
        Table::of("Matches", self.rows().flat_map(of_policy))
            .column(
                Column::text("policy"),
                |(one, _): (&PolicyAnswer, &ReplayedMatch)| one.name.as_str(),
            )
            .column(Column::text("match"), |(one, made)| self.match_name(one, made.id))
            .column(Column::number("time", 3), |(_, made)| {
                made.at.millis() as f64 / 1000.0
            })
            .column(Column::text("queue"), |(_, made)| made.queue.as_str())
            .column(Column::text("region"), |(_, made)| made.region.as_deref())
            .column(Column::number("mismatch", 4), |(_, made)| made.mismatch)
            .column(Column::text("teams"), |(_, made)| {
                made.teams.iter().map(team).collect::<Vec<_>>().join(" against ")
            })
            .build()
    }
}

impl ReplayAnswer {
    /// Of what really happened the name that the log has, of a policy the number.
    fn match_name(&self, one: &PolicyAnswer, made: u64) -> String {
        if self
            .recorded
            .as_ref()
            .is_some_and(|recorded| std::ptr::eq(recorded, one))
        {
            self.names.recorded_match(made)
        } else {
            made.to_string()
        }
    }
}

impl PolicyAnswer {
    /// Of all tickets that were admitted, with a match or without, seconds.
    pub(super) fn mean_wait(&self) -> Option<f64> {
        self.waits.first()?.mean
    }

    pub(super) fn tickets(&self) -> impl Iterator<Item = &ReplayedTicket> {
        self.replay.tickets.iter()
    }

    fn matches(&self) -> impl Iterator<Item = &ReplayedMatch> {
        self.replay.matches.iter()
    }
}

/// Why two policies' difference has no interval.
fn no_interval_in_words(compared: &Comparison, why: NoInterval) -> String {
    let span = super::words::span;
    match why {
        NoInterval::BlocksAgree => {
            "no interval: it is the same in every part of the log, which does not tell how much others would differ".to_owned()
        }
        NoInterval::ShortLog => format!(
            "no interval: it takes 3 blocks of ten waits and of two tickets, since neighbours share matches; with a mean wait \
             of {} the {} of the log are long enough for {}",
            span(compared.mean_wait),
            span(compared.seconds),
            compared.blocks
        ),
    }
}

/// Two policies on the tickets that have costs under both.
struct Beside {
    tickets: usize,
    /// What the second costs a player of them.
    than: f64,
    /// By how many seconds a ticket waits longer under the first, on average.
    wait: f64,
    /// By what share more of them the first matches.
    matched: f64,
}

impl Beside {
    fn of(first: &PolicyAnswer, second: &PolicyAnswer) -> Self {
        let both = first.tickets().zip(second.tickets());
        let common: Vec<_> = both
            .filter(|(one, other)| one.costs.is_some() && other.costs.is_some())
            .collect();
        let mean = |of: fn(&ReplayedTicket) -> f64| {
            let sum: f64 = common.iter().map(|(one, other)| of(one) - of(other)).sum();
            sum / common.len() as f64
        };
        let cost: f64 = common
            .iter()
            .filter_map(|(_, other)| Some(other.costs?.total()))
            .sum();
        let players: usize = common.iter().map(|(_, other)| other.players).sum();
        Self {
            tickets: common.len(),
            than: cost / players as f64,
            wait: mean(|one| one.waited),
            matched: mean(|one| f64::from(u8::from(matches!(one.fate, Fate::Matched(_))))),
        }
    }
}

/// The 95 % interval of a difference.
fn interval(compared: &Comparison) -> [f64; 2] {
    let difference = compared.test.difference;
    [difference - compared.margin, difference + compared.margin]
}

fn cost(ticket: &ReplayedTicket, of: fn(Costs) -> f64) -> Option<f64> {
    ticket.costs.map(of)
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Matched(_) => "matched",
        Fate::Left => "left",
        Fate::Waits => "waiting",
        Fate::Refused => "refused",
        Fate::Unknown => "not known",
    }
}

/// Counts by what is counted, of all policies; none where nothing was.
fn counts<'a>(
    title: &str,
    unit: &'static str,
    policies: &'a [PolicyAnswer],
    of: impl Fn(&'a PolicyAnswer) -> &'a BTreeMap<String, usize>,
) -> Option<Table> {
    let rows = policies
        .iter()
        .flat_map(|one| of(one).iter().map(move |(why, times)| (one, why, *times)));
    let rows: Vec<(&PolicyAnswer, &String, usize)> = rows.collect();
    (!rows.is_empty()).then(|| {
        Table::of(title, rows)
            .column(Column::text("Policy"), |(one, ..)| one.name.as_str())
            .column(Column::text("Why"), |(_, why, _)| why.as_str())
            .column(Column::integer(unit), |(.., times)| times)
            .build()
    })
}
