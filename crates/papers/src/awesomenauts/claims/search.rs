//! The search and what its author says of it: AWN-300, init, steepest, count, speed, forced, restart, overnight, sa,
//! repeat.

use super::inputs::AwesomenautsInputs;
use super::inputs::COUPLE_OF_RETRIES;
use crate::check::prelude::*;
use crate::check::verdict::Verdict;

use crate::awesomenauts::{
    Awesomenauts, BatchesReport, Contender, EUROPE, FAR, FactorRow, PortReport, RaceReport, RaceRow,
    RepeatsReport, RestartsReport, StartsReport, TotalsReport, awesomenauts_policy,
};

use matchwright_scoring::{Pool, Total};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_sim::statistics::{MeanTest, t_test};
use matchwright_solver::Limits;

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-300", Search(|inputs| batches(inputs.batches()?))),
    Check::new(
        "AWN-init",
        Search(|inputs| Ok(start(inputs.starts()?)?.and(teams_too(inputs.starts()?)?))),
    ),
    Check::new("AWN-steepest", Search(|inputs| Ok(local_optimum(inputs.port()?)))),
    Check::new("AWN-count", Search(|inputs| Ok(counted(inputs.port()?).ours()))),
    Check::new("AWN-speed", Exact(speed)),
    Check::new("AWN-forced", Search(|inputs| Ok(forced(inputs.forced_race()?)))),
    Check::new("AWN-restart", Search(|inputs| anew(inputs.forced_race()?))),
    Check::new(
        "AWN-overnight",
        Search(|inputs| inputs.restarts().map(tens_of_thousands)),
    ),
    Check::new(
        "AWN-sa",
        Search(|inputs| Ok(as_supposed(inputs.annealing_race()?)?.and(totals(inputs.totals()?)))),
    ),
    Check::new("AWN-repeat", Search(|inputs| Ok(repeats(inputs.repeats()?)))),
];

/// What "little" and "much" mean of a match's quality, the same in all rows: below the first and above the second. What lies
/// between is neither.
const LITTLE: f64 = 0.005;
const MUCH: f64 = 0.01;

pub(crate) fn batches(report: &BatchesReport) -> Result<Finding> {
    let mut found = Finding::new().samples(report.config.streams, "streams");
    for row in &report.rows {
        let (size, of) = (row.size, &row.groups[FAR]);
        found = found
            .estimate(format!("far away, by {size}: ping factor"), of.ping_factor, 3)
            .estimate("quality", of.quality, 3);
    }
    for step in &report.steps {
        let (small, large) = step.sizes;
        found = found.estimate(format!("all matches, {small} to {large}"), step.total, 4);
        if large > 300 {
            continue;
        }
        let (ping, home) = (&step.ping_factor[FAR], &step.ping_factor[EUROPE]);
        let gain = format!("those far away gain from {small} to {large}");
        let more = format!("their pings gain more than Europe's from {small} to {large}");
        found = found
            .require_above(step.total, 3.0, format!("{large} are better than {small}"))
            .require_below(step.quality[FAR].reversed(), 0.0, gain)
            .require_below(less(home, ping), 0.0, more);
    }
    let up_to_300 = report.rows.iter().any(|row| row.size == 300);
    Ok(found.require(up_to_300, "up to 300"))
}

/// The first difference less the second, as if they were independent: the error is rather too large.
fn less(first: &MeanTest, second: &MeanTest) -> MeanTest {
    let error = first.standard_error.hypot(second.standard_error);
    let degrees = smaller(first.degrees, second.degrees);
    t_test(first.difference - second.difference, error, degrees)
}

/// The row of a factor.
pub(crate) fn factor<'a>(report: &'a StartsReport, name: &str) -> Result<&'a FactorRow> {
    let row = report.row(name);
    row.with_context(|| format!("there is no factor `{name}`"))
}

pub(crate) fn start(report: &StartsReport) -> Result<Finding> {
    let mut found = Finding::new().samples(report.config.pools, "pools");
    for row in &report.rows {
        found = found
            .estimate(format!("{}: sorted", row.factor), row.sorted, 3)
            .number("at the end", row.end.mean, 3);
    }
    let skill = factor(report, "player_skill")?;
    let (alone, sorted) = (skill.skill_alone, skill.sorted);
    let error = alone.standard_error.hypot(sorted.standard_error);
    let near = t_test(alone.mean - sorted.mean, error, report.config.pools as f64 - 1.0);
    let better = "players' skill is better than at the end";
    found = found
        .number("players' skill, made for skill alone", skill.skill_alone.mean, 3)
        .require_above(skill.sorted_over_end, 3.0, better)
        .require_below(near, MUCH, "and as good as it can be, to a percent");
    for name in ["enemy_ping", "premades"] {
        let row = factor(report, name)?;
        found = found
            .require_above(
                row.sorted_over_end.reversed(),
                3.0,
                format!("{name} is worse than at the end"),
            )
            .require_below(
                row.sorted_over_random,
                2.0 * MUCH,
                format!("{name} is as in a random order"),
            );
    }
    let total = factor(report, "total")?.sorted_over_end.reversed();
    Ok(found.require_above(total, 3.0, "and the whole is worse"))
}

/// Whether the sorted start has the best skill of teams, too: the article says skill scores, of which there are two, and
/// sorts players, not parties.
fn teams_too(report: &StartsReport) -> Result<Finding> {
    let (teams, singly) = (factor(report, "team_skill")?, &report.singly);
    Ok(Finding::new()
        .number("teams' skill, made for skill alone", teams.skill_alone.mean, 3)
        .estimate(
            "players sorted one by one, any split of sixes",
            singly.any_split,
            3,
        )
        .estimate("their best split", singly.best_split, 3)
        .estimate("any split, less end", singly.over_end, 3)
        .estimate("parties whole, less end", teams.sorted_over_end, 3)
        .require_above(
            singly.over_end,
            3.0,
            "the teams' skill is better than at the end, too, if players are sorted one by one",
        )
        .completes_page(
            teams.sorted_over_end.t < -3.0,
            "if parties stay whole it is worse than at the end (t < -3)",
        ))
}

pub(crate) fn local_optimum(report: &PortReport) -> Finding {
    Finding::new()
        .samples(report.config.pools, "pools")
        .count("pools", report.config.pools as u64)
        .number("best swap at the start gains", report.best_at_start.mean, 3)
        .number("at the end", report.best_at_end, 3)
        .number("swaps in between", report.swaps.mean, 1)
        .require(report.best_at_start.mean > 1e-3, "there is something to gain")
        .require(report.swaps.mean > 1.0, "swap after swap")
        .require(report.best_at_end <= 1e-9, "no swap improves the end")
}

/// One step over `players` who came alone; the article counts those of 96.
pub(crate) fn counted(report: &PortReport) -> Finding {
    let count = report.count;
    let found = Finding::new()
        .count("swaps", count.swaps)
        .count("splits", count.splits)
        .count("as the port says", count.reported)
        .require(count.reported == count.splits, "the port reports them");
    if report.config.players / 6 * 6 != 96 {
        return found;
    }
    found
        .require(count.swaps == 4_320, "4,320 swaps")
        .require(count.splits == 86_400, "86,400 splits")
}

/// Splits of two teams that one core tries in a second, to an order of magnitude.
const SPLITS_A_SECOND: f64 = 2e7;

/// By counts: what the port does in a second follows from how many splits it tries for a swap.
fn speed(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let pool = Pool::new(lobby_players(&LobbyWorldParams::default(), inputs.seed)?)?;
    let policy = awesomenauts_policy()?;
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &policy,
    };
    let lobbies = lobby_pool(&pool, [3, 3])?;
    let (_, ascents) = Awesomenauts::new(1).ascents(&lobbies, &scoring, &Limits::unlimited())?;
    let starts = ascents.len() as f64;
    let swaps = ascents.iter().map(|ascent| ascent.swaps).sum::<u64>() as f64;
    let splits = ascents.iter().map(|ascent| ascent.splits).sum::<u64>() as f64;
    let carried = SPLITS_A_SECOND * swaps / splits;
    let seconds = splits / starts / SPLITS_A_SECOND;
    Ok(Finding::new()
        .number("splits tried for a swap, thousands,", splits / swaps / 1e3, 1)
        .number(
            "at twenty million splits a second: swaps carried out a second",
            carried,
            0,
        )
        .number("seconds of a start", seconds, 2)
        .number("swaps of a start", swaps / starts, 1)
        .require(
            inputs.a_few_hundred.contains(&carried),
            "some hundreds a second, to a factor of ten for other machines",
        )
        .require(seconds < 5.0, "a start takes less than five seconds"))
}

pub(crate) fn row(report: &RaceReport, contender: Contender) -> Result<&RaceRow> {
    let row = report.last(contender);
    row.with_context(|| format!("{} did not take part", contender.words()))
}

pub(crate) fn forced(report: &RaceReport) -> Finding {
    let forced = &report.forced;
    Finding::new()
        .samples(report.config.pools, "pools")
        .estimate("a dozen forced swaps add", forced.gain, 4)
        .number("evaluations, as a multiple,", forced.work.mean, 2)
        .estimate("a second start adds", forced.second_start, 4)
        .number("at a multiple of", forced.second_work.mean, 2)
        .estimate("a second start, less forced swaps", forced.second_over_forced, 4)
        .require_above(forced.gain, 3.0, "they help")
        .require_below(forced.gain, LITTLE, "but little: below 0.005")
        .require(forced.work.mean > 1.5, "and cost much")
        .note("a second start costs about as much and gains as much: the cost alone speaks against neither")
}

/// The row of starting anew at the work of a couple of retries, or at the most of a shorter race.
pub(crate) fn couple_of_retries(report: &RaceReport) -> Result<&RaceRow> {
    let mut rows = report.rows.iter();
    let enough =
        |row: &&RaceRow| row.contender == Contender::StartingAnew && row.evaluations >= COUPLE_OF_RETRIES;
    match rows.find(enough) {
        Some(row) => Ok(row),
        None => row(report, Contender::StartingAnew),
    }
}

/// From this many pools on, what they show in the mean may refute a statement.
const POOLS_TO_REFUTE: usize = 10;

/// Starting anew against forced swaps alone at equal work: at that of a couple of retries, or at the most if the race is
/// shorter, and the other rows beside it.
pub(crate) fn anew(report: &RaceReport) -> Result<Finding> {
    let mut found = Finding::new().samples(report.config.pools, "pools");
    for row in &report.rows {
        let name = format!("{} at {} evaluations", row.contender.words(), row.evaluations);
        found = found.number(name, row.total.mean, 4);
        if row.contender == Contender::StartingAnew {
            found = found
                .estimate("over forced swaps alone", row.over_forced, 4)
                .number("z", row.over_forced.t, 1);
        }
    }
    let few = couple_of_retries(report)?.over_forced;
    let found = found.require_above(few, 3.0, "a couple of retries beat forced swaps at equal work");
    let (much, what) = (
        few.difference > MUCH,
        "by much: more than a percent of a perfect match",
    );
    // A few pools that happen to be alike tell nothing of the others.
    Ok(if report.config.pools < POOLS_TO_REFUTE {
        found.require_enough(much, what)
    } else {
        found.require_tested(much, few.reversed().against(-MUCH), what)
    })
}

/// Whether it matters that forced swaps precede each new start: no claim of the source.
pub(crate) fn forced_then_anew(report: &RaceReport) -> Result<Finding> {
    let both = row(report, Contender::ForcedThenAnew)?.over_starting_anew;
    let apart = if both.t < 0.0 { both.reversed() } else { both };
    let found = Finding::new().samples(report.config.pools, "pools");
    Ok(found.require_tested(apart.t < 3.0, apart, "alike within three standard errors"))
}

pub(crate) fn overnight(report: &RestartsReport) -> Finding {
    let (few, starts, pools) = (report.config.few, report.config.starts, report.config.pools);
    let (more, ascent) = (report.many_over_few, report.ascent);
    Finding::new()
        .samples(starts, &format!("starts in each of {pools} pools"))
        .estimate(format!("best of {starts} less best of {few}"), more, 4)
        .number("the first ascent brings", ascent.mean, 4)
        .estimate(
            "our annealing of a million exchanges less best of all",
            report.ours_over_many,
            4,
        )
        .require_enough(starts >= 100 * few.max(1) / 2, "many against few")
        .require_enough(more.mean > 0.0, "many are better")
        .require(more.mean < MUCH, "not by much: less than 0.01, in these pools")
        .require(
            more.mean < 0.2 * ascent.mean,
            "by less than a fifth of one ascent, in these pools",
        )
        .completes_page(
            more.mean > LITTLE,
            "nor by little: more than 0.005, in these pools",
        )
}

/// The same of as many starts as the document says, which a run by default does not make.
fn tens_of_thousands(report: &RestartsReport) -> Finding {
    if report.config.starts >= 10_000 {
        return overnight(report);
    }
    Finding::unchecked(Verdict::Open, "only --deep makes tens of thousands of starts")
}

/// What the reader supposes: annealing is not significantly, which is to say not noticeably, better than starting anew.
pub(crate) fn as_supposed(race: &RaceReport) -> Result<Finding> {
    let over = row(race, Contender::ReadersAnnealing)?.over_starting_anew;
    Ok(Finding::new()
        .samples(race.config.pools, "pools")
        .count(
            "evaluations",
            race.config.evaluations.iter().copied().max().unwrap_or_default(),
        )
        .estimate("a reader's annealing over starting anew", over, 4)
        .number("z", over.t, 1)
        .require_below(
            over,
            LITTLE,
            "annealing is better by little at most: less than 0.005",
        )
        .completes_page(over.t > 3.0, "for certain, little as it is (z > 3)"))
}

/// The reader's annealing, and ours if it took part, against starting anew.
pub(crate) fn annealing(race: &RaceReport) -> Result<Finding> {
    let reader = row(race, Contender::ReadersAnnealing)?;
    let over = reader.over_starting_anew;
    let found = Finding::new()
        .samples(race.config.pools, "pools")
        .count("evaluations", reader.evaluations)
        .estimate("a reader's annealing over starting anew", over, 4)
        .require_above(over, 3.0, "annealing is better");
    let Some(ours) = race.last(Contender::OurAnnealing) else {
        return Ok(found);
    };
    let over = ours.over_starting_anew;
    Ok(found
        .estimate("ours", over, 4)
        .require_above(over, 3.0, "ours is better"))
}

/// What lineups are like whose worst match is no longer bad: below the mean quality under the mean by less than this.
const NEARLY: f64 = 0.05;

/// Totals other than the mean do little for the worst match.
pub(crate) fn totals(report: &TotalsReport) -> Finding {
    let mut found = Finding::new().samples(report.config.pools, "pools");
    let mut most = f64::NEG_INFINITY;
    for row in &report.rows {
        let name = row.made_for.to_string();
        let (own, worst) = (row.own_over_first, row.worst_over_first);
        found = found.estimate(format!("made for {name}: worst match, against mean,"), worst, 4);
        let nothing = format!("{name}: does not do much for the worst match, less than 0.01");
        found = match row.made_for {
            // Made for the worst match itself.
            Total::Quantile(quantile) if quantile.share() == 0.0 => found,
            Total::Quantile(_) => found
                .number("its own gain", own.difference, 4)
                .require_tested(
                    own.t > 2.0,
                    own.reversed(),
                    format!("{name}: better by its own measure"),
                )
                .require_below(worst, MUCH, nothing),
            Total::PowerMean(mean) if mean.exponent() <= -4.0 => found.require_tested(
                worst.t > 2.0,
                worst.reversed(),
                format!("{name}: lifts the worst match"),
            ),
            Total::PowerMean(mean) if mean.exponent() > 1.0 => found.require_below(worst, MUCH, nothing),
            Total::PowerMean(_) => found,
        };
        most = larger(most, row.worst.mean);
    }
    let mean = report.rows.first().map_or(f64::NAN, |row| row.mean.mean);
    let found = found
        .number("the worst match at best, under any total", most, 3)
        .number("the mean match, made for the mean", mean, 3)
        .require(report.rows.len() >= 4, "several totals");
    let stays = "under every total the worst match stays bad: 0.05 below the mean one";
    if report.config.pools < POOLS_TO_REFUTE {
        found.require_enough(most < mean - NEARLY, stays)
    } else {
        found.require(most < mean - NEARLY, stays)
    }
}

/// Players who queue again and again, with the factor of opponent variation and without.
pub(crate) fn repeats(report: &RepeatsReport) -> Finding {
    let fewer = report.share_fewer;
    Finding::new()
        .samples(report.config.worlds, "worlds")
        .number("weight, as a share of all", report.share, 3)
        .estimate(
            "players met again, of five in a match: without the factor",
            report.without,
            3,
        )
        .estimate("with it", report.with, 3)
        .estimate("fewer by, as a share", fewer, 3)
        .estimate("of those, in the same role: without", report.same_without, 3)
        .estimate("with it", report.same_with, 3)
        .estimate("what the other factors lose by it", report.others_lose, 4)
        .require_above(report.fewer, 4.0, "the factor makes repeats rarer")
        .require_above(
            report.others_lose.reversed().against(-LITTLE),
            3.0,
            "at little of the other factors' quality, less than 0.005",
        )
}
