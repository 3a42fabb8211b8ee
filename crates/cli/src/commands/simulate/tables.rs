//! Simulated worlds as text and tables.

use std::cmp::Ordering;
use std::fmt::Write;

use matchwright_report::{Cell, Column, Table, count, counted, decimal, visible_line};
use matchwright_sim::replay::GroupWaits;
use matchwright_sim::simulate::{ClaimResult, Compared, Difference, Figure, GroupMatches};
use matchwright_sim::statistics::{CountRatio, Estimate, Summary};

use super::answer::WorldsAnswer;
use crate::commands::versus::{Alone, Versus, lower_first, quoted, rounded};
use crate::commands::waits::wait_table;
use crate::parts::worlds::WorldsFacts;

impl WorldsFacts {
    /// What was simulated, and by what it is judged.
    pub(super) fn lines(&self) -> Vec<String> {
        let worlds = match self.worlds {
            1 => "1 world".to_owned(),
            worlds => format!("{} worlds, the same for every policy", count(worlds.into())),
        };
        let warm_up = match self.warm_up_hours {
            0.0 => String::new(),
            hours => format!(", of which the first {hours} count for nothing"),
        };
        let name = if self.scenario.is_empty() {
            "scenario".into()
        } else {
            visible_line(&self.scenario)
        };
        let hours = if self.hours == 1.0 { "hour" } else { "hours" };
        let mut lines = vec![format!("{name}: {worlds}, {} {hours} each{warm_up}", self.hours)];
        let judged = format!("Judged by {}: {}", self.judged_by, self.objective);
        lines.push(visible_line(&judged).into_owned());
        lines
    }
}

impl WorldsAnswer {
    /// All that is printed.
    pub(super) fn text(&self) -> String {
        let mut text = self.facts.lines().join("\n");
        let _ = write!(text, "\n\n{}", self.answer());
        for table in self.tables() {
            let _ = write!(text, "\n\n{}", table.to_text().trim_end());
        }
        for words in self.clear_in_words() {
            let _ = write!(text, "\n\n{words}");
        }
        text + "\n"
    }

    /// What is printed, and what the page begins with.
    pub(crate) fn tables(&self) -> Vec<Table> {
        let is_comparison = self.facts.policies.len() > 1 && self.each.len() > 1;
        let mut tables = vec![self.figure_table()];
        tables.extend(is_comparison.then(|| self.difference_table()));
        tables.extend((!self.claimed.is_empty()).then(|| self.claim_table()));
        tables
    }

    /// What the scenario says of itself, and what the worlds say of that.
    fn claim_table(&self) -> Table {
        let first = self.names().next().unwrap_or_default();
        let compared = |one: &ClaimResult| {
            let claim = &one.claim;
            let policy = claim.policy.as_deref().unwrap_or(first);
            let of = |policy: &str, group: Option<&String>| {
                group.map_or_else(|| policy.to_owned(), |group| format!("{group} under {policy}"))
            };
            let other = claim.than_value.map_or_else(
                || {
                    let group = claim.than_group.as_ref().or(claim.group.as_ref());
                    of(claim.than.as_deref().unwrap_or(policy), group)
                },
                |value| value.to_string(),
            );
            let ours = of(policy, claim.group.as_ref());
            format!("{}: {ours} less {other}", heading(claim.figure))
        };
        Table::of("What is said of this world", &self.claimed)
            .column(Column::text("Claim"), |one| one.claim.says.as_str())
            .column(Column::text("Figure"), compared)
            .column(Column::text("Difference"), |one| {
                let open = one.is_open.then(|| "open".to_owned());
                let difference = one.difference;
                difference.map(|found| numbers_of(one.claim.figure, found)).or(open)
            })
            .column(Column::integer("Worlds"), |one| one.worlds)
            .column(Column::text("Verdict"), |one| one.verdict.words())
            .build()
            .file("claims")
            .note(
                "Paired by the worlds that have both values, two at least (`simulate compare`), with 95 % intervals of \
                 Student's t, or exact ones of rare events. Confirmed: the whole interval is on the side that the claim \
                 says; not confirmed: on the other side, or no difference in any world of a figure that counts no events.",
            )
    }

    fn figure_table(&self) -> Table {
        let several = self.each.len() > 1;
        let value = |one: &Compared, policy: usize| match mean_cell(one, policy) {
            Cell::Estimate { value, .. } if !several => Cell::Number(value),
            cell => cell,
        };
        let names: Vec<&str> = self.names().collect();
        let table = Table::of("What came out", &self.figures)
            .column(Column::text("Figure"), |one| heading(one.figure))
            .columns(
                0..names.len(),
                |policy| Column::significant(names[policy], 4),
                value,
            )
            .build()
            .file("figures");
        let table = table.note(format!(
            "Costs: of a player for one ticket. Percentile waits: within which so many of all tickets had a match. Mismatch: {}.",
            self.facts.mismatch_is
        ));
        let table = table.notes(self.unpriced_in_words());
        let table = table.notes(self.facts.rating_is.iter().map(|is| format!("{is}.")));
        let table = table.notes(lost_is_free(&self.figures).then_some(
            "Tickets without a match cost nothing but the time that they waited: `lost` in [objective] gives them a price.",
        ));
        let table = table.notes(self.hindsight_in_words());
        let claims = self.facts.claims.len();
        let table = table.notes((claims > 0 && !several).then(|| {
            format!(
                "What the scenario says of its worlds ({}) takes several to judge: `matchwright simulate compare`.",
                counted(claims, "claim", "claims")
            )
        }));
        if several {
            table.note("Means over the worlds with their standard errors; none where all worlds agree.")
        } else {
            table
        }
    }

    fn difference_table(&self) -> Table {
        let names: Vec<&str> = self.names().collect();
        let words = |one: &Compared, policy: usize| difference_cell(&self.figures, one, policy);
        let first = names.first().copied().unwrap_or_default();
        Table::of(format!("Differences to {first}"), &self.figures)
            .column(Column::text("Figure"), |one| heading(one.figure))
            .columns(1..names.len(), |policy| Column::text(names[policy]), words)
            .build()
            .note(DIFFERENCES)
            .note(NO_PLUS)
    }

    /// The differences as numbers.
    pub(crate) fn difference_numbers(&self) -> Table {
        let names: Vec<&str> = self.names().collect();
        let rows = self.figures.iter().flat_map(|one| {
            let known = one.differences.iter().enumerate().skip(1);
            known.filter_map(move |(policy, difference)| Some((one.figure, policy, (*difference)?)))
        });
        Table::of("Differences to the first policy", rows)
            .column(Column::text("figure"), |(figure, ..)| figure.key())
            .column(Column::text("policy"), |(_, policy, _)| names[policy])
            .column(Column::significant("difference", 6), |(.., difference)| {
                difference.mean
            })
            .column(Column::significant("from", 6), |(.., difference)| {
                Some(difference.interval?[0])
            })
            .column(Column::significant("to", 6), |(.., difference)| {
                Some(difference.interval?[1])
            })
            .optional_column(Column::significant("ratio", 6), |(.., difference)| {
                Some(difference.counts?.ratio)
            })
            .optional_column(Column::significant("ratio_from", 6), |(.., difference)| {
                Some(difference.counts?.interval[0])
            })
            .optional_column(Column::significant("ratio_to", 6), |(.., difference)| {
                Some(difference.counts?.interval[1])
            })
            .build()
            .file("differences")
    }

    /// The answer in a sentence: the cheapest policy beside the first, or the first beside the next; one policy by itself.
    pub(crate) fn answer(&self) -> String {
        let names: Vec<&str> = self.names().collect();
        let mean = |figure: Figure, policy: usize| {
            let mean = self.figure(figure)?.means.get(policy).copied().flatten()?;
            Some(mean.mean)
        };
        let costs = (0..names.len()).filter_map(|policy| Some((policy, mean(Figure::Cost, policy)?)));
        let mut costs: Vec<(usize, f64)> = costs.collect();
        costs.sort_by(|a, b| a.1.total_cmp(&b.1));
        let worlds = match self.facts.worlds {
            1 => format!("In one world of {} h, ", self.facts.hours),
            worlds => format!("In {} worlds of {} h, ", count(worlds.into()), self.facts.hours),
        };
        let (first, second) = match costs[..] {
            [] => {
                let why = self.unpriced_in_words();
                return why.unwrap_or_else(|| format!("{worlds}no policy has a cost."));
            }
            [(only, cost)] => {
                let alone = Alone {
                    name: &quoted(names[only]),
                    cost,
                    beside: "",
                    matched: 1.0 - 0.01 * mean(Figure::Lost, only).unwrap_or(0.0),
                    mismatch: mean(Figure::Mismatch, only),
                    wait: mean(Figure::WaitMean, only),
                };
                return worlds + &alone.sentence();
            }
            // Differences are to the first policy, if it has a cost.
            [(0, _), (next, _), ..] => (0, next),
            [(best, _), (next, _), ..] => {
                let has_first = costs.iter().any(|(policy, _)| *policy == 0);
                (best, if has_first { 0 } else { next })
            }
        };
        let difference = |figure: Figure| {
            let of = |policy: usize| self.figure(figure)?.differences.get(policy).copied().flatten();
            let (found, sign) = match (first, second) {
                (_, 0) => (of(first)?, 1.0),
                (0, _) => (of(second)?, -1.0),
                _ => return None,
            };
            let interval = found.interval.map(|[low, high]| match second {
                0 => [low, high],
                _ => [-high, -low],
            });
            Some((sign * found.mean, interval, found.side().is_some()))
        };
        let clear = |figure: Figure| {
            let (difference, _, is_clear) = difference(figure)?;
            Some(difference).filter(|_| is_clear)
        };
        // One world tells what each paid, and not how sure that is.
        let (cost, interval) = difference(Figure::Cost).map_or_else(
            || {
                let of = |policy| mean(Figure::Cost, policy).unwrap_or(f64::NAN);
                (of(first) - of(second), None)
            },
            |(cost, interval, _)| (cost, interval),
        );
        let versus = Versus {
            names: [&quoted(names[first]), &quoted(names[second])],
            than: mean(Figure::Cost, second).unwrap_or(f64::NAN),
            difference: cost,
            interval,
            wait: clear(Figure::WaitMean),
            mismatch: clear(Figure::Mismatch),
            matched: clear(Figure::Lost).map(|lost| -0.01 * lost),
        };
        let least = if costs.len() > 2 {
            format!(
                " Of the {} policies that have a cost {} has the least.",
                costs.len(),
                quoted(names[first])
            )
        } else {
            String::new()
        };
        format!("{worlds}{}{least}", lower_first(&versus.sentence()))
    }

    /// Which costs are clearly less.
    pub(crate) fn clear_in_words(&self) -> Vec<String> {
        let names: Vec<&str> = self.names().collect();
        let Some((cost, first)) = self.figure(Figure::Cost).zip(names.first()) else {
            return Vec::new();
        };
        let is_free = lost_is_free(&self.figures);
        let lost = self.figure(Figure::Lost).filter(|_| is_free);
        let but = |loses_more: bool| {
            let words = ", but clearly more of its tickets have no match, which costs nothing here";
            if loses_more { words } else { "" }
        };
        let words = |(policy, (name, difference)): (usize, (&&str, &Option<Difference>))| {
            let difference = (*difference)?;
            let lost = lost.and_then(|one| one.differences.get(policy).copied().flatten());
            let lost = lost.and_then(|lost| lost.side());
            let verdict = match difference.side() {
                Some(Ordering::Greater) => format!("{first} costs less{}", but(lost == Some(Ordering::Less))),
                Some(_) => format!("{name} costs less{}", but(lost == Some(Ordering::Greater))),
                None => "no clear difference".to_owned(),
            };
            let margin = difference.interval.map(|[low, high]| 0.5 * (high - low));
            let interval = difference.interval.map_or_else(
                || "the same in every world, which gives no interval".to_owned(),
                |[low, high]| {
                    format!(
                        "95 % interval {} to {}",
                        rounded(low, margin),
                        rounded(high, margin)
                    )
                },
            );
            let words = format!(
                "{name} less {first}: {} per player, {interval}: {verdict}.",
                rounded(difference.mean, margin)
            );
            Some(visible_line(&words).into_owned())
        };
        names
            .iter()
            .zip(&cost.differences)
            .enumerate()
            .skip(1)
            .filter_map(words)
            .collect()
    }

    /// Who is on the front of waiting, quality and retention.
    pub(crate) fn front_table(&self) -> Table {
        let names: Vec<&str> = self.names().collect();
        let shown = [
            Figure::WaitMean,
            Figure::Wait90,
            Figure::Mismatch,
            Figure::Lost,
            Figure::Gone,
            Figure::Cost,
            Figure::Regret,
        ];
        let shown: Vec<&Compared> = shown.iter().filter_map(|figure| self.figure(*figure)).collect();
        Table::of("The front", 0..names.len())
            .column(Column::text("Policy"), |policy| names[policy])
            .columns(
                shown,
                |one| Column::significant(heading(one.figure), 4),
                |policy, one| match mean_cell(one, policy) {
                    Cell::Estimate { value, .. } => Cell::Number(value),
                    cell => cell,
                },
            )
            .column(Column::text("On the front"), |policy| {
                if self.on_the_front.get(policy) == Some(&true) { "yes" } else { "no" }
            })
            .build()
            .file("front")
            .note("On the front: no other policy is at least as good in mean time waited, mismatch, tickets without a match and lost players, and better in one.")
    }

    /// Waits by region, rating and party.
    pub(crate) fn wait_table(&self) -> Table {
        let pooled = self.pooled();
        let waits: Vec<(&str, GroupWaits)> = pooled
            .iter()
            .flat_map(|(name, pooled)| pooled.waits().into_iter().map(move |waits| (*name, waits)))
            .collect();
        let rows = waits.iter().map(|(name, waits)| (*name, waits));
        let table = wait_table("Waits", rows);
        if self.each.len() > 1 {
            table.note("Means and quantiles are the means of the worlds' own, weighted by their tickets; open where one of these is.")
        } else {
            table
        }
    }

    /// Matches as the players of each group had them.
    pub(crate) fn group_table(&self) -> Option<Table> {
        let pooled = self.pooled();
        let groups: Vec<(&str, GroupMatches, Option<f64>)> = pooled
            .iter()
            .flat_map(|(name, pooled)| {
                let waits = pooled.waits();
                let lost = move |group: &str| {
                    let of = waits.iter().find(|waits| waits.group == group)?;
                    Some(of.lost() as f64 / of.tickets.max(1) as f64)
                };
                pooled.by_group().into_iter().map(move |group| {
                    let lost = lost(&group.group);
                    (*name, group, lost)
                })
            })
            .collect();
        (groups.len() > pooled.len()).then(|| {
            Table::of("Matches by group", &groups)
                .column(Column::text("Policy"), |(name, ..)| *name)
                .column(Column::text("Players of"), |(_, group, _)| group.group.as_str())
                .column(Column::integer("Players in matches"), |(_, group, _)| group.players)
                .column(Column::percent("Tickets without a match", 1), |(.., lost)| *lost)
                .column(Column::significant("Mean mismatch", 4), |(_, group, _)| {
                    group.mismatch
                })
                .column(Column::number("Mean ping", 1).unit("ms"), |(_, group, _)| group.ping)
                .build()
                .file("groups")
                .note("A player counts once for each match. Mismatch and ping are of matches, which the tickets without one have not.")
        })
    }

    /// Matches, wins and losses by true skill.
    pub(crate) fn games_table(&self) -> Table {
        let pooled = self.pooled();
        let games: Vec<(&str, matchwright_sim::simulate::GroupGames)> = pooled
            .iter()
            .flat_map(|(name, pooled)| pooled.games().into_iter().map(move |games| (*name, games)))
            .collect();
        Table::of("Who wins and who loses", &games)
            .column(Column::text("Policy"), |(name, _)| *name)
            .column(Column::text("Players by true skill"), |(_, games)| {
                games.group.as_str()
            })
            .column(Column::integer("Players"), |(_, games)| games.players)
            .column(Column::integer("Matches"), |(_, games)| games.games)
            .column(Column::percent("Won", 2), |(_, games)| games.win_share())
            .column(Column::integer("Lost"), |(_, games)| games.losses)
            .build()
            .file("games")
    }

    /// The quality of the matches by the factors of what judges.
    pub(crate) fn factor_table(&self) -> Option<Table> {
        let rows: Vec<(&str, &str, f64)> = self
            .pooled()
            .into_iter()
            .flat_map(|(name, pooled)| {
                let factors = pooled.factors();
                factors
                    .into_iter()
                    .map(move |(factor, mean)| (name, factor, mean))
                    .collect::<Vec<_>>()
            })
            .collect();
        (!rows.is_empty()).then(|| {
            Table::of("Quality by factor", &rows)
                .column(Column::text("Policy"), |(name, ..)| *name)
                .column(Column::text("Factor"), |(_, factor, _)| *factor)
                .column(Column::number("Mean quality", 4), |(.., mean)| *mean)
                .build()
                .file("factors")
                .note("By the scoring that judges all policies. It sees no waits, which have costs of their own: a factor of waits is that of tickets that just came.")
        })
    }
}

/// A figure's words with its unit.
pub(crate) fn heading(figure: Figure) -> String {
    match figure.unit() {
        "" => figure.words().to_owned(),
        unit => format!("{} ({unit})", figure.words()),
    }
}

/// What the differences of a table are.
pub(super) const DIFFERENCES: &str = "Paired by worlds, with 95 % intervals of Student's t; of events that are rare (fewer \
    than 10 a world), and of what each of them costs, their totals, and the exact 95 % interval of the ratio of their rates. Better or worse is \
    said where the interval leaves out 0, and that of a ratio 1. No interval where all worlds agree: they do not tell how much others \
    would differ.";
/// Why some differences are not called better.
pub(super) const NO_PLUS: &str =
    "Where clearly more tickets have no match, no figure of matches or of time waited counts as better.";

/// Whether some tickets have no match, and none pays for it.
fn lost_is_free(all: &[Compared]) -> bool {
    let most = |figure: Figure| {
        let one = all.iter().find(|one| one.figure == figure)?;
        let means = one.means.iter().flatten().map(|mean| mean.mean);
        means.reduce(f64::max)
    };
    most(Figure::LostCost) == Some(0.0) && most(Figure::Lost) > Some(0.0)
}

/// A mean with its standard error, if that is known; or that it is open, and why.
pub(super) fn mean_cell(one: &Compared, policy: usize) -> Cell {
    let mean = one.means.get(policy).copied().flatten();
    let open = one.open.get(policy).and_then(Option::as_ref);
    match (mean, open) {
        (Some(Estimate { mean, standard_error }), _) if standard_error.is_finite() => {
            Cell::estimate(mean, standard_error)
        }
        (Some(Estimate { mean, .. }), _) => Cell::Number(mean),
        (None, Some(why)) => Cell::from(format!("open ({why})")),
        (None, None) => Cell::Empty,
    }
}

/// `−1.2 (−1.5 to −0.9), better`: a difference of these figures, and whether the policy is better by it.
pub(super) fn difference_cell(all: &[Compared], one: &Compared, policy: usize) -> Cell {
    let of = |one: &Compared| one.differences.get(policy).copied().flatten();
    let Some(difference) = of(one) else {
        let is_open = [0, policy]
            .iter()
            .any(|&at| one.open.get(at).is_some_and(Option::is_some));
        return if is_open { Cell::from("open") } else { Cell::Empty };
    };
    let figure = one.figure;
    let lost = all.iter().find(|one| one.figure == Figure::Lost);
    let is_free = matches!(figure, Figure::Cost | Figure::Regret) && lost_is_free(all);
    let loses_more = lost.and_then(of).and_then(|lost| lost.side()) == Some(Ordering::Greater);
    let mark = match (figure.better(), difference.side()) {
        (0, _) | (_, None) => "",
        (better, Some(side)) if side != better.cmp(&0) => ", worse",
        _ if loses_more && (figure.forgets_the_lost() || is_free) => "",
        _ => ", better",
    };
    Cell::from(numbers_of(figure, difference) + mark)
}

/// `−1.2 (−1.5 to −0.9)`; of rare events `1 against 4: 0.25 times (0.005 to 2.53)`.
fn numbers_of(figure: Figure, difference: Difference) -> String {
    let Difference {
        mean,
        interval,
        counts,
    } = difference;
    if let Some(counts) = counts {
        return ratio_of(figure, counts);
    }
    let Some([low, high]) = interval else {
        return if mean == 0.0 {
            "0".to_owned()
        } else {
            let why = if figure.is_multiple() {
                ", no interval"
            } else {
                " in every world"
            };
            short(mean, mean.abs()) + why
        };
    };
    let numbers = [mean, low, high].map(|number| short(number, high - low));
    format!("{} ({} to {})", numbers[0], numbers[1], numbers[2])
}

/// Totals of rare events, and the ratio of their rates.
fn ratio_of(figure: Figure, counts: CountRatio) -> String {
    let CountRatio {
        events: [ours, first],
        of,
        ratio,
        interval: [low, high],
    } = counts;
    if ours + first == 0 {
        let among = if of[0] == of[1] {
            count(of[0])
        } else {
            format!("{} and {}", count(of[0]), count(of[1]))
        };
        return format!("none in {among} {}", figure.counts().unwrap_or_default());
    }
    let totals = format!("{} against {}", count(ours), count(first));
    let short = |number: f64| {
        if number == 0.0 {
            "0".to_owned()
        } else {
            short(number, number)
        }
    };
    if first == 0 {
        return format!("{totals}: at least {} times", short(low));
    }
    format!(
        "{totals}: {} times ({} to {})",
        short(ratio),
        short(low),
        short(high)
    )
}

/// A number to about a hundredth of a width.
fn short(number: f64, width: f64) -> String {
    let width = if width > 0.0 {
        width
    } else {
        number.abs().max(1e-9)
    };
    let decimals = (2.0 - width.log10().floor()).clamp(0.0, 8.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
    decimal(number, decimals as usize)
}

/// What a terminal shows of worlds that have ended so far.
pub(super) fn live<const N: usize>(names: &[String], figures: &[Figure; N], sums: &[[Summary; N]]) -> String {
    Table::of("So far", 0..names.len())
        .column(Column::text("Policy"), |policy| names[policy].as_str())
        .column(Column::integer("Worlds"), |policy| sums[policy][0].n())
        .columns(
            0..N,
            |at| Column::significant(figures[at].key(), 4),
            |policy, at| {
                let sum = &sums[policy][at];
                match sum.mean() {
                    _ if sum.n() == 0 => Cell::Empty,
                    mean if mean.is_finite() => Cell::Number(mean),
                    _ => Cell::from("open"),
                }
            },
        )
        .build()
        .to_text()
}
