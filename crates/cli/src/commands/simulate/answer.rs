//! What simulated worlds came to, as JSON has it; in parts until they are joined.

use matchwright_sim::simulate::{ClaimResult, Compared, Figure, Regret, World, compare, front};
use matchwright_sim::statistics::Summary;
use serde::Serialize;

use super::files;
use super::log::Log;
use super::page::worlds_page;
use super::pooled::Pooled;
use crate::arguments::PageOptions;
use crate::failure::{Failure, ShownPath};
use crate::output::{Origin, print, print_json};
use crate::parts::worlds::{WorldsFacts, WorldsPart};

/// What is asked for waiting, quality and retention.
const FRONT: [Figure; 4] = [Figure::WaitMean, Figure::Mismatch, Figure::Lost, Figure::Gone];

/// Everything about policies on the same worlds.
#[derive(Serialize)]
pub(crate) struct WorldsAnswer {
    #[serde(flatten)]
    pub(crate) facts: WorldsFacts,
    /// Every figure: means over the worlds, and differences to the first policy, paired by worlds.
    pub(crate) figures: Vec<Compared>,
    /// By policy: whether no other is better in waiting, mismatch, lost tickets and lost players at once.
    pub(crate) on_the_front: Vec<bool>,
    /// What the scenario says of itself, compared with the worlds.
    pub(crate) claimed: Vec<ClaimResult>,
    pub(crate) each: Vec<World>,
    #[serde(skip)]
    log: Option<Log>,
}

impl WorldsAnswer {
    /// All parts of one run, in their order.
    pub(crate) fn of(parts: Vec<WorldsPart>) -> Self {
        let mut each = Vec::new();
        let mut facts = None;
        for part in parts {
            each.extend(part.worlds);
            facts.get_or_insert(part.facts);
        }
        let figures = compare(&each);
        let facts = facts.unwrap_or_default();
        let names: Vec<&str> = facts.policies.iter().map(|policy| policy.name.as_str()).collect();
        let claims = facts.claims.iter();
        Self {
            // One world tells nothing of others.
            claimed: claims
                .filter(|_| each.len() > 1)
                .map(|claim| claim.judge(&names, &each))
                .collect(),
            on_the_front: front(&figures, &FRONT),
            figures,
            facts,
            each,
            log: None,
        }
    }
}

/// Whether one hindsight serves all policies of each world.
fn is_shared(regrets: &[Vec<Regret>]) -> bool {
    let mut worlds = regrets.iter();
    worlds.all(|world| {
        world
            .windows(2)
            .all(|two| two[0].hindsight.to_bits() == two[1].hindsight.to_bits())
    })
}

impl WorldsAnswer {
    /// With every ticket and match of the world.
    pub(super) fn with_log(mut self, log: Option<Log>) -> Self {
        self.log = log;
        self
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.facts.policies.iter().map(|policy| policy.name.as_str())
    }

    /// Each policy's name with what it came to over all worlds.
    pub(crate) fn pooled(&self) -> Vec<(&str, Pooled<'_>)> {
        let of = |(place, name)| (name, Pooled::of(&self.each, place));
        self.names().enumerate().map(of).collect()
    }

    pub(crate) fn figure(&self, figure: Figure) -> Option<&Compared> {
        self.figures.iter().find(|one| one.figure == figure)
    }

    /// All that is known of hindsight, world by world and policy by policy; empty if it was not asked for.
    pub(crate) fn regrets(&self) -> Vec<Vec<Regret>> {
        let of = |world: &World| world.policies.iter().filter_map(|found| found.regret).collect();
        let all = self.each.iter().map(of);
        all.filter(|regrets: &Vec<Regret>| !regrets.is_empty()).collect()
    }

    /// What hindsight made of the worlds, a point of mean wait and mismatch; of each policy's own tickets where they differ.
    pub(crate) fn hindsight_points(&self) -> Vec<(String, f64, f64)> {
        let regrets = self.regrets();
        let mean = |policy: usize, of: fn(&Regret) -> f64| {
            Summary::of(regrets.iter().filter_map(|world| world.get(policy).map(of))).mean()
        };
        let point = |policy, name| {
            (
                name,
                mean(policy, |one| one.wait),
                mean(policy, |one| one.mismatch),
            )
        };
        if regrets.is_empty() {
            Vec::new()
        } else if is_shared(&regrets) {
            vec![point(0, "hindsight".to_owned())]
        } else {
            let names = self.names().enumerate();
            names
                .map(|(policy, name)| point(policy, format!("hindsight of {name}")))
                .collect()
        }
    }

    /// What regret is of, in words, where it was asked for.
    pub(super) fn hindsight_in_words(&self) -> Option<String> {
        if self.facts.no_hindsight.is_some() {
            return self.facts.no_hindsight.clone();
        }
        let regrets = self.regrets();
        let all_bounds = regrets.iter().flatten().all(|one| one.is_bound);
        (!regrets.is_empty()).then(|| {
            let least = if all_bounds {
                "a proven bound: no policy that admits the same tickets pays less"
            } else {
                "the best that a search from the policies' own matches finds, not a bound"
            };
            let tickets = if is_shared(&regrets) {
                "the same for all policies"
            } else {
                "each policy's own, since players come again by what it did"
            };
            format!("Hindsight knows all tickets of a world, its warm-up included, and how long each would wait; it is {least}. Tickets: {tickets}.")
        })
    }

    /// Which policies have no cost, in words.
    pub(super) fn unpriced_in_words(&self) -> Option<String> {
        let unpriced = |(place, name): (usize, &str)| {
            let tickets: u64 = self
                .each
                .iter()
                .map(|world| world.policies.get(place).map_or(0, |found| found.unpriced))
                .sum();
            (tickets > 0).then(|| format!("{tickets} under {name}"))
        };
        let all: Vec<String> = self.names().enumerate().filter_map(unpriced).collect();
        (!all.is_empty()).then(|| {
            format!(
                "No cost where tickets were refused ({}): [objective] has no `lost`, the price of a player who gets no match.",
                all.join(", ")
            )
        })
    }

    pub(crate) const fn has_log(&self) -> bool {
        self.log.is_some()
    }

    /// Writes everything into the folder, if there is one, and prints the tables, or all as JSON.
    pub(crate) fn show(&self, origin: &Origin, options: &PageOptions) -> Result<(), Failure> {
        if let Some(folder) = &options.out {
            let mut files = files(
                ("simulation.json", self),
                &worlds_page(self).footer(origin.footer()),
            )?;
            if let Some(log) = &self.log {
                files.add("tickets.jsonl", log.tickets.as_str());
                files.add("matches.csv", log.matches.to_csv());
            }
            files.write(folder, origin)?;
        }
        if options.json {
            return print_json(self);
        }
        print(&self.text())?;
        print(&match &options.out {
            Some(folder) => format!("\nPage: {}\n", folder.join("index.html").shown()),
            None => "\nAdd --out DIR for a page with plots.\n".to_owned(),
        })
    }
}
