//! A replay as text and tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use matchwright_report::{Column, Table, count, counted, visible_line};
use matchwright_sim::replay::{
    Comparison, Costs, Fate, LoggedTicket, NoInterval, ReplayedMatch, ReplayedTicket,
};

use super::answer::{PolicyAnswer, ReplayAnswer};
use crate::commands::judging::objective_in_words;
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
        for table in self.tables() {
            line(format!("\n{}", table.to_text().trim_end()));
        }
        self.comparison_in_words()
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

    /// Which policy costs less, if that is clear.
    pub(crate) fn comparison_in_words(&self) -> Option<String> {
        let (compared, [first, second]) = (self.comparison?, &self.policies[..]) else {
            return None;
        };
        if self.tickets_with_costs == 0 {
            return Some(format!(
                "{} and {} cannot be compared: no ticket has costs under both.",
                first.name, second.name
            ));
        }
        let difference = compared.test.difference;
        let verdict = if let Some(why) = compared.no_interval {
            no_interval_in_words(&compared, why)
        } else {
            let (low, high) = (difference - compared.margin, difference + compared.margin);
            let clear = match (low > 0.0, high < 0.0) {
                (true, _) => format!("{} costs less", second.name),
                (_, true) => format!("{} costs less", first.name),
                _ => "no clear difference".to_owned(),
            };
            format!(
                "95 % interval {low:.4} to {high:.4}: {clear} (paired by {} blocks of neighbouring tickets, each of ten mean \
                 waits at least)",
                compared.blocks
            )
        };
        Some(format!(
            "{} less {}: {difference:.4} a player{}, {verdict}.",
            first.name,
            second.name,
            self.estimated(),
        ))
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
            "Hindsight{}: no policy pays less than {:.4} a player on this log without refusing {whom} ({kind}; gap {:.2} %, verified by \
             independent code{took}); {} matches, {} unmatched.",
            self.estimated(),
            best.bound_per_player,
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
                    format!("{regret:.4} a player{of_bound}")
                },
            );
            let _ = write!(text, "\nRegret of {}: {regret}.", visible_line(&policy.name));
        }
        Some(text)
    }

    /// Every table of the terminal.
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
        let policies = self.policies.iter();
        Table::of(format!("Cost a player{}", self.estimated()), policies)
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
            &self.policies,
        )
        .column(Column::text("Policy"), |one| one.name.as_str())
        .column(Column::integer("Matches"), |one| one.matches)
        .column(Column::integer("Matched"), |one| one.matched)
        .column(Column::integer("Left"), |one| one.left)
        .column(Column::integer("Waiting"), |one| one.waiting)
        .column(Column::integer("Refused"), |one| one.refused)
        .column(Column::integer(overdue), |one| one.overdue)
        .build()
    }

    fn wait_table(&self) -> Table {
        let rows = self
            .policies
            .iter()
            .flat_map(|one| one.waits.iter().map(move |waits| (one.name.as_str(), waits)));
        wait_table(format!("Waits{}", self.estimated()), rows)
    }

    fn mismatch_table(&self) -> Table {
        let rows = self
            .policies
            .iter()
            .filter_map(|one| Some((one, one.mismatch.as_ref()?)));
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
        Table::of("Tickets", self.policies.iter().flat_map(of_policy))
            .column(
                Column::text("policy"),
                |(one, _): (&PolicyAnswer, &ReplayedTicket)| one.name.as_str(),
            )
            .column(Column::text("ticket"), |(_, ticket)| {
                self.names.ticket(ticket.ticket)
            })
            .column(Column::integer("players"), |(_, ticket)| ticket.players)
            .column(Column::text("fate"), |(_, ticket)| fate(ticket.fate))
            .column(Column::text("match"), |(_, ticket)| match ticket.fate {
                Fate::Matched(made) => Some(made.to_string()),
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
        Table::of("Matches", self.policies.iter().flat_map(of_policy))
            .column(
                Column::text("policy"),
                |(one, _): (&PolicyAnswer, &ReplayedMatch)| one.name.as_str(),
            )
            .column(Column::integer("match"), |(_, made)| made.id)
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

impl PolicyAnswer {
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

fn cost(ticket: &ReplayedTicket, of: fn(Costs) -> f64) -> Option<f64> {
    ticket.costs.map(of)
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Matched(_) => "matched",
        Fate::Left => "left",
        Fate::Waits => "waiting",
        Fate::Refused => "refused",
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
