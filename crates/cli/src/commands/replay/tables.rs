//! A replay as text and tables.

use std::fmt::Write;

use matchwright_report::{Column, Table, count, counted};
use matchwright_sim::replay::{Fate, ReplayedMatch, ReplayedTicket};

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
        line("What cannot be observed:".to_owned());
        self.unobserved.iter().for_each(|what| line(format!("- {what}")));
        self.recomputed_in_words().into_iter().for_each(&mut line);
        self.patience_in_words().into_iter().for_each(&mut line);
        for table in self.tables() {
            line(format!("\n{}", table.to_text().trim_end()));
        }
        self.comparison_in_words()
            .into_iter()
            .for_each(|words| line(format!("\n{words}")));
        self.hindsight_in_words(seconds)
            .into_iter()
            .for_each(|words| line(format!("\n{words}")));
        for policy in self.policies.iter().filter(|policy| !policy.explained.is_empty()) {
            line(format!("\nOverdue under {}, the longest waits:", policy.name));
            for one in &policy.explained {
                for (place, words) in one.lines.iter().enumerate() {
                    line(format!("{}{words}", if place == 0 { "- " } else { "    " }));
                }
            }
        }
        text
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
        let difference = compared.test.difference;
        let (low, high) = (difference - compared.margin, difference + compared.margin);
        let verdict = if compared.margin.is_finite() {
            let clear = match (low > 0.0, high < 0.0) {
                (true, _) => format!("{} costs less", second.name),
                (_, true) => format!("{} costs less", first.name),
                _ => "no clear difference".to_owned(),
            };
            format!("95 % interval {low:.4} to {high:.4}: {clear}")
        } else {
            "too few tickets for an interval".to_owned()
        };
        Some(format!(
            "{} less {}: {difference:.4} a player{}, {verdict} (paired by {} blocks of neighbouring tickets).",
            first.name,
            second.name,
            self.estimated(),
            compared.blocks
        ))
    }

    /// What hindsight proves.
    pub(crate) fn hindsight_in_words(&self, seconds: Option<f64>) -> Option<String> {
        let best = self.hindsight.as_ref()?;
        let took = seconds.map_or_else(String::new, |seconds| format!(", in {seconds:.1} s"));
        let kind = if best.optimal {
            "proven optimal"
        } else {
            "a bound that no policy beats"
        };
        let mut text = format!(
            "Hindsight{}: no policy pays less than {:.4} a player on this log ({kind}; gap {:.2} %, verified by \
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
                    format!(
                        "unknown, as it did not admit {} tickets that the bound counts",
                        policy.refused
                    )
                },
                |regret| {
                    let share = 100.0 * regret / best.bound_per_player;
                    let of_bound = format!(", {share:.1} % of the bound");
                    // Where hindsight pays nothing there is no share.
                    let of_bound = Some(of_bound).filter(|_| share.is_finite()).unwrap_or_default();
                    format!("{regret:.4} a player{of_bound}")
                },
            );
            let _ = write!(text, "\nRegret of {}: {regret}.", policy.name);
        }
        if self.objective.lost.is_none()
            && best.unmatched
                < self
                    .policies
                    .iter()
                    .map(|one| one.left + one.waiting)
                    .max()
                    .unwrap_or(0)
        {
            text += "\nTickets that leave have no price, so that the bound is that of the matchings with the most matches: a \
                     policy with fewer matches may cost less. `lost` in [objective] gives them one.";
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
        tables.extend(self.refusal_table());
        tables
    }

    fn cost_table(&self) -> Table {
        let policies = self.policies.iter();
        Table::of(format!("Cost a player{}", self.estimated()), policies)
            .column(Column::text("Policy"), |one| one.name.as_str())
            .column(Column::significant("Cost", 4), |one| one.cost_per_player)
            .column(Column::significant("Mismatch", 4), |one| {
                one.costs_per_player.mismatch
            })
            .column(Column::significant("Waiting", 4), |one| {
                one.costs_per_player.waiting
            })
            .column(Column::significant("Lost", 4), |one| one.costs_per_player.lost)
            .optional_column(Column::significant("Regret", 4), |one| one.regret_per_player)
            .build()
            .note("Over the players of all tickets that were admitted, once for each ticket.")
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

    fn refusal_table(&self) -> Option<Table> {
        let refused = |one: &PolicyAnswer| !one.refused_because.is_empty();
        self.policies.iter().any(refused).then(|| {
            let rows = self.policies.iter().flat_map(|one| {
                one.refused_because
                    .iter()
                    .map(move |(why, tickets)| (one, why, *tickets))
            });
            Table::of("Refused tickets", rows)
                .column(Column::text("Policy"), |(one, ..)| one.name.as_str())
                .column(Column::text("Why"), |(_, why, _)| why.as_str())
                .column(Column::integer("Tickets"), |(.., tickets)| tickets)
                .build()
        })
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
                ticket.costs.mismatch
            })
            .column(Column::number("waiting_cost", 4), |(_, ticket)| {
                ticket.costs.waiting
            })
            .column(Column::number("lost_cost", 4), |(_, ticket)| ticket.costs.lost)
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
    fn tickets(&self) -> impl Iterator<Item = &ReplayedTicket> {
        self.replay.tickets.iter()
    }

    fn matches(&self) -> impl Iterator<Item = &ReplayedMatch> {
        self.replay.matches.iter()
    }
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Matched(_) => "matched",
        Fate::Left => "left",
        Fate::Waits => "waiting",
        Fate::Refused => "refused",
    }
}
