//! The page of "The Awesomenauts matchmaking algorithm" (Ronimo Games, 16 September 2018).

use matchwright_report::{Headline, Page, Section, count};
use matchwright_sim::population::LobbyWorldParams;

use crate::awesomenauts::Contender;
use crate::reproduction::{Reproduction, signed};

use super::reproduction::{AwesomenautsReproduction, EqualTime};
use super::{plots, rounds_page, tables, verdicts};

impl Reproduction for AwesomenautsReproduction {
    fn content(&self) -> Page {
        let short = verdicts::short_section(self);
        let page = Page::new("Awesomenauts' matchmaking, reproduced")
            .answer(short.sentence)
            .headlines(headlines(self))
            .picture(plots::race(&self.race))
            .lead("“The Awesomenauts matchmaking algorithm” (Ronimo Games, 16 September 2018) tells how a game put all waiting players into matches of three against three at once: by six factors, and by swapping players until no swap helps.")
            .lead("Everything on this page was computed by the program that wrote it, on generated players. What the author says of the search is compared with a port of it, a reader's proposal, our own search, and an upper bound that no lineup exceeds.")
            .section(short.section)
            .section(silent_section());
        let page = rounds_page::sections(self).into_iter().fold(page, Page::section);
        page.section(
                Section::new("Searches beside each other")
                    .paragraph("Forced swaps were given up for new starts. A reader proposes simulated annealing. All are given the same pools, objective and number of evaluations.")
                    .table(tables::race(&self.race))
                    .paragraph("At the first local optimum:")
                    .table(tables::forced(&self.race)),
            )
            .section(
                Section::new("A few starts against many")
                    .paragraph("The author let a computer start anew for a night, tens of thousands of times, and found surprisingly little.")
                    .plot(plots::restarts(&self.restarts))
                    .table(tables::restarts(&self.restarts)),
            )
            .section(
                Section::new("Batches and far regions")
                    .paragraph("In a batch of a hundred there are a few players from far away, who get bad pings; around 300 would be ideal, says the author.")
                    .plot(plots::batches_ping(&self.batches))
                    .plot(plots::batches_quality(&self.batches))
                    .table(tables::batches(&self.batches))
                    .table(tables::steps(&self.batches)),
            )
            .section(
                Section::new("The sorted start")
                    .paragraph("The search begins with players sorted by skill and cut into sixes. The author calls its skill the best that can be had, and its pings and premades bad.")
                    .table(tables::starts(&self.starts)),
            )
            .section(
                Section::new("Steps of the search")
                    .paragraph("All swaps are tried, the best is made, until none improves.")
                    .table(tables::port(&self.port)),
            )
            .section(
                Section::new("Other totals")
                    .paragraph("A reader asks for root mean square, median or a percentile in place of the mean, for the sake of the worst matches; the author answers that these can mostly not be improved.")
                    .table(tables::totals(&self.totals)),
            )
    }
}

/// The page of what a clock decided.
impl Reproduction for EqualTime {
    const JSON: &'static str = "equal-time.json";

    fn content(&self) -> Page {
        let best = self.best().map(|row| {
            format!(
                "With {} s a pool on this machine the best search is {}, with a mean quality of {:.4}.",
                self.seconds,
                row.contender.words(),
                row.total.mean
            )
        });
        Page::new("Awesomenauts' search for lobbies at equal time")
            .answer(best.unwrap_or_else(|| "No search was run.".to_owned()))
            .lead("This page depends on the machine that it was made on and on what else that did; the other pages do not.")
            .section(Section::new("Searches beside each other").open().table(tables::equal_time(self)))
    }
}

fn headlines(all: &AwesomenautsReproduction) -> impl Iterator<Item = Headline> {
    let gap = |contender, what: &'static str| {
        all.race.last(contender).map(|row| {
            let line = format!(
                "below the proven bound: {what}, {} evaluations",
                count(row.evaluations)
            );
            Headline::new(format!("{:.2}", 100.0 * row.gap.mean), "%", line)
        })
    };
    let restarts = &all.restarts;
    let (few, starts) = (restarts.config.few, count(restarts.config.starts as u64));
    let line =
        format!("mean quality that {starts} starts add to the best of {few}: starting anew brings little");
    let more = Headline::new(signed(restarts.many_over_few.mean, 4), "", line);
    [
        gap(Contender::StartingAnew, "the article's search, starting anew"),
        gap(Contender::OurAnnealing, "our annealing"),
        Some(more),
    ]
    .into_iter()
    .flatten()
}

fn silent_section() -> Section {
    let world = LobbyWorldParams::default();
    Section::new("What the article does not say").list(vec![
        format!(
            "Who plays. Here {:.0} % live in Europe, {:.0} % far away in three regions, the rest in North America; {:.0} % come in parties of two or three.",
            100.0 * world.europe,
            100.0 * world.far,
            100.0 * world.in_parties
        ),
        "The weights, curves and caps of the six factors: those of the policy in examples/policies/awesomenauts.toml.".to_owned(),
        "What happens to parties when players are sorted and swapped: here they stay together, and change places with as many players.".to_owned(),
        "How semi-random a new start is: here a fifth of the order by skill.".to_owned(),
        "Which swaps are forced: here each of the twelve worst matches, in turn, into its least bad swap.".to_owned(),
        "The reader gives no temperatures: those of our own annealing, over the swaps of the article.".to_owned(),
    ])
}
