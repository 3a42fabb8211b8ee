//! [`ScenarioParams`]: a world to simulate, as a document has it, and [`Scenario`], one that was checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use matchwright_churn::{ChurnModel, Outcome};
use matchwright_queue::Ticket;
use matchwright_rating::RatingParams;
use matchwright_scoring::{PlayerField, TeamScorer};
use serde::{Deserialize, Serialize};

use super::checks::ScenarioError;
use super::claims::ClaimParams;
use super::gold::GoldParams;
use super::leaving::{ChurnEstimateParams, LeavingParams};
use super::patience::Patience;
use crate::policy::LoadedPolicy;
use crate::rate::Rater;
use crate::replay::{Judge, TicketLog, nearest_region};

/// A world to simulate, unchecked until [`build`](Self::build).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ScenarioParams {
    /// What it is called.
    pub name: String,
    /// What it is to show, in words.
    pub about: String,
    /// The policies that it is for, the one to compare with first: names or files.
    pub policies: Vec<String>,
    /// The document whose `[objective]` judges them all. Default: that of the first policy.
    pub objective: Option<String>,
    /// How many worlds a comparison takes. Default 20.
    pub worlds: u32,
    /// How long it lasts, hours. Default 24.
    pub hours: f64,
    /// How many hours at the beginning are left out of all measures. Default 0.
    pub warm_up_hours: f64,
    /// When parties come.
    pub arrivals: ArrivalParams,
    /// Who comes.
    pub people: PeopleParams,
    /// Where from; none for one place without pings.
    pub regions: Vec<RegionParams>,
    /// How long a party waits before it gives up. Default: it never does.
    pub patience: Option<Patience>,
    /// How proposals are answered.
    pub acceptance: AcceptanceParams,
    /// What matches are like.
    pub play: PlayParams,
    /// What happens after a match. Of use where players are the same from match to match.
    pub again: AgainParams,
    /// What the matchmaker knows of skills.
    pub rating: KnownSkill,
    /// What the matchmaker learns of who leaves, and tickets carry as `churn`. Default: nothing.
    pub churn: Option<ChurnEstimateParams>,
    /// What is said of it, to be held against what comes out.
    pub claims: Vec<ClaimParams>,
}

impl Default for ScenarioParams {
    fn default() -> Self {
        Self {
            name: String::new(),
            about: String::new(),
            policies: Vec::new(),
            objective: None,
            worlds: 20,
            hours: 24.0,
            warm_up_hours: 0.0,
            arrivals: ArrivalParams::default(),
            people: PeopleParams::default(),
            regions: Vec::new(),
            patience: None,
            acceptance: AcceptanceParams::default(),
            play: PlayParams::default(),
            again: AgainParams::default(),
            rating: KnownSkill::default(),
            churn: None,
            claims: Vec::new(),
        }
    }
}

/// When parties come: a Poisson process whose rate changes with the hour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ArrivalParams {
    /// Parties a second, all regions together, over a whole day. Default 1. One whose players are busy stays away.
    pub per_second: f64,
    /// How busy each local hour is, 24 numbers of any scale. Default: all alike.
    pub by_hour: Vec<f64>,
    /// Multiplies the number of parties that everything else here gives. Default 1.
    pub factor: f64,
    /// Times at which more come, or fewer.
    pub bursts: Vec<BurstParams>,
    /// The file of a recorded log whose tickets come instead, with their players, attributes and regions; each of them
    /// `factor` times on average, copies some minutes apart. The reader of the file hands it to [`Scenario::with_log`].
    pub log: Option<String>,
}

/// A time at which more parties come, or fewer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BurstParams {
    /// When it begins, hours after the world does.
    pub at_hours: f64,
    /// How long it lasts, hours.
    pub hours: f64,
    /// Multiplies the usual number of parties.
    pub factor: f64,
}

impl Default for ArrivalParams {
    fn default() -> Self {
        Self {
            per_second: 1.0,
            by_hour: Vec::new(),
            factor: 1.0,
            bursts: Vec::new(),
            log: None,
        }
    }
}

/// Who comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PeopleParams {
    /// How many there are. Default none: every party is new, and comes once.
    pub players: Option<u32>,
    /// Shares of parties of one, two and more, of any scale. Default: all come alone.
    pub parties: Vec<f64>,
    /// Of the parties of several, the share whose last player lives in another region. Default 0.
    pub apart: f64,
    /// Mean of true skill, points. Default 1500.
    pub skill_mean: f64,
    /// Its standard deviation. Default 300.
    pub skill_deviation: f64,
    /// Standard deviation of how true skill changes in a day, a random walk, points. Default 0.
    pub drift_per_day: f64,
    /// Correlation of true skills within a party, 0 to 1. Default 0: parties are drawn at random.
    pub alike: f64,
    /// Whether a party is a roster: it plays in the policy's queue with the largest team that it can fill, with as many
    /// of its first players as that team has, and all of that queue's tickets are whole teams. Default: a party plays as it is.
    pub roster: bool,
    /// Kinds of parties that differ from the others.
    pub groups: Vec<GroupParams>,
    /// More numbers that are known of each player, by name, such as `experience`.
    pub numbers: BTreeMap<String, NumberParams>,
    /// Words that are known of each party, by name, such as `languages`: each word with its share, of any scale.
    pub words: BTreeMap<String, BTreeMap<String, f64>>,
    /// The queues in which parties of a size wait. Default: the only one there is.
    pub queues: Vec<QueuesOf>,
}

/// Parties that differ from the others. Which group a party is of, no ticket says; `words` may tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GroupParams {
    /// Its name, under which its waits are measured.
    pub name: String,
    /// Share of all parties, 0 to 1.
    pub share: f64,
    /// Added to true skills, points. Default 0.
    #[serde(default)]
    pub lead: f64,
    /// Standard deviation of skills within a party, as a multiple of the others'. Default 1.
    #[serde(default = "one")]
    pub spread: f64,
    /// Words that its tickets carry, in place of those of [`PeopleParams::words`].
    #[serde(default)]
    pub words: BTreeMap<String, String>,
}

/// A number that is known of each player: normal, and correlated with true skill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NumberParams {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// Its correlation with true skill, -1 to 1. Default 0.
    #[serde(default)]
    pub with_skill: f64,
    /// What is less becomes this. Default: none.
    #[serde(default)]
    pub least: Option<f64>,
    /// Whether a party has one number, correlated with its mean skill, instead of one for each player. Default false.
    #[serde(default)]
    pub of_party: bool,
}

/// Where parties of a size wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct QueuesOf {
    /// Players of the party.
    pub size: usize,
    /// The queues, all at once.
    pub names: Vec<String>,
}

impl Default for PeopleParams {
    fn default() -> Self {
        Self {
            players: None,
            parties: vec![1.0],
            apart: 0.0,
            skill_mean: 1500.0,
            skill_deviation: 300.0,
            drift_per_day: 0.0,
            alike: 0.0,
            roster: false,
            groups: Vec::new(),
            numbers: BTreeMap::new(),
            words: BTreeMap::new(),
            queues: Vec::new(),
        }
    }
}

/// Where players come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RegionParams {
    /// Its name.
    pub name: String,
    /// Share of the parties, of any scale. Default 1.
    #[serde(default = "one")]
    pub share: f64,
    /// Local time less that of the arrivals' clock, hours. Default 0.
    #[serde(default)]
    pub offset_hours: f64,
    /// Ping of its players to each region where they would play, milliseconds; none for any region.
    #[serde(default)]
    pub pings: BTreeMap<String, f64>,
}

const fn one() -> f64 {
    1.0
}

/// How proposals are answered, where the policy asks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AcceptanceParams {
    /// The chance that a player accepts. Default 1.
    pub chance: f64,
    /// The chance that a player who does not accept declines; the others let the time run out. Default 0.5.
    pub declines: f64,
    /// Mean seconds until an answer, exponential. Default 0: at once.
    pub mean_seconds: f64,
}

impl Default for AcceptanceParams {
    fn default() -> Self {
        Self {
            chance: 1.0,
            declines: 0.5,
            mean_seconds: 0.0,
        }
    }
}

/// What matches are like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PlayParams {
    /// Median length, minutes. Default 15.
    pub median_minutes: f64,
    /// Standard deviation of the logarithm of the length. Default 0.3.
    pub sigma: f64,
    /// A lead in skill that makes odds of ten to one, points. Teams are as good as their mean. Default 400.
    pub points_for_ten_to_one: f64,
    /// How likely a draw is, in \[0, 1). Default 0.
    pub draw_rate: f64,
    /// Whether matches run on the players' own machines: then each player has `pings`, tickets name no regions, and the
    /// ping that counts is that between opponents. Default false.
    pub peer_to_peer: bool,
    /// How gold goes to the two teams of a match. Default: nobody looks at it.
    pub gold: Option<GoldParams>,
}

impl Default for PlayParams {
    fn default() -> Self {
        Self {
            median_minutes: 15.0,
            sigma: 0.3,
            points_for_ten_to_one: 400.0,
            draw_rate: 0.0,
            peer_to_peer: false,
            gold: None,
        }
    }
}

/// What happens after a match, by how it ended: win, draw, loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AgainParams {
    /// The chance that a party queues again at once. Default 0.7 each.
    pub next_match: [f64; 3],
    /// Of those who do not, the share who never come again. Default 0 each.
    pub gone: [f64; 3],
    /// Mean seconds between a match and the next wait, exponential. Default 30.
    pub pause_seconds: f64,
    /// Who never comes again, by the last outcomes of each player, decided before `next_match`; instead of `gone`.
    pub leaving: Option<LeavingParams>,
}

impl Default for AgainParams {
    fn default() -> Self {
        Self {
            next_match: [0.7; 3],
            gone: [0.0; 3],
            pause_seconds: 30.0,
            leaving: None,
        }
    }
}

/// What the matchmaker knows of skills.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct KnownSkill {
    /// The system that learns from the matches: its name, or a table of its name with its settings, as `matchwright rate
    /// --config` reads it. Default none: skill and a fixed error.
    #[cfg_attr(feature = "schema", schemars(with = "Option<schemars::Schema>"))]
    pub system: Option<RatingParams>,
    /// With Dota's system: the word of each ticket that is `normal` or `ranked`. Each player then has the four ratings of an
    /// account ([`Accounts`](crate::rate::Accounts)), and its ticket carries that of how it queues; a word of
    /// [`PeopleParams::words`] is drawn anew each time. Default none: one rating.
    pub accounts: Option<String>,
    /// Without a system: standard deviation of rating less skill, points. Default 0.
    pub error_deviation: f64,
    /// The scale to which tickets' ratings are brought, points for odds of ten to one. Default: that of the system; without
    /// one that of [`PlayParams`].
    pub points_for_ten_to_one: Option<f64>,
}

/// A world that can be simulated.
#[derive(Clone)]
pub struct Scenario {
    pub(super) params: ScenarioParams,
    pub(super) log: Option<Arc<TicketLog>>,
    pub(super) leaving: Option<Arc<Leaving>>,
    pub(super) churn_estimate: Option<Arc<Leaving>>,
    pub(super) rated: Option<Arc<MakeRater>>,
    /// Wakeups without an event after which a world fails: a fixed number, and a number for each ticket.
    pub(super) most_wakeups: Option<(u64, u64)>,
}

/// Who leaves, by the last outcomes.
pub(super) type Leaving = dyn ChurnModel<[Outcome]> + Send + Sync;

/// What learns ratings, anew in each world.
pub(super) type MakeRater = dyn Fn() -> Box<dyn Rater> + Send + Sync;

impl std::fmt::Debug for Scenario {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Scenario");
        shown.field("params", &self.params).finish_non_exhaustive()
    }
}

impl Scenario {
    /// What it was made of; at least one region and 24 hours.
    #[must_use]
    pub const fn params(&self) -> &ScenarioParams {
        &self.params
    }

    /// The log whose tickets come.
    #[must_use]
    pub fn log(&self) -> Option<&TicketLog> {
        self.log.as_deref()
    }

    /// The world with the tickets of a log instead of arrivals at random; its first comes at the beginning, and hours
    /// are those of its clock. A player's true skill is the log's number `skill`, else `rating`, else drawn, less the
    /// error of [`KnownSkill`].
    #[must_use]
    pub fn with_log(mut self, log: Arc<TicketLog>) -> Self {
        if self.params.regions.iter().all(|region| region.pings.is_empty()) {
            let mut shares: BTreeMap<String, f64> = BTreeMap::new();
            for logged in log.tickets() {
                *shares.entry(nearest(&logged.ticket)).or_default() += 1.0;
            }
            let region = |(name, share)| RegionParams {
                name,
                share,
                offset_hours: 0.0,
                pings: BTreeMap::new(),
            };
            self.params.regions = shares.into_iter().map(region).collect();
        }
        self.log = Some(log);
        self
    }

    /// The world where any model says who leaves for good, by each player's last five outcomes, oldest first, instead of
    /// the table of [`AgainParams::leaving`]; its propensity stays.
    #[must_use]
    pub fn with_leaving(mut self, model: Arc<dyn ChurnModel<[Outcome]> + Send + Sync>) -> Self {
        self.params.again.leaving.get_or_insert_default();
        self.leaving = Some(model);
        self
    }

    /// The world where the matchmaker's estimates of who leaves, of which its policy reads `churn`, are those of any model,
    /// by each player's last five outcomes and a possible next one, oldest first, instead of a table that it learns
    /// ([`ChurnEstimateParams`]).
    #[must_use]
    pub fn with_churn_estimate(mut self, model: Arc<dyn ChurnModel<[Outcome]> + Send + Sync>) -> Self {
        self.params.churn.get_or_insert_default();
        self.churn_estimate = Some(model);
        self
    }

    /// The world where any rater learns what the matchmaker knows of skills, made anew for each world, instead of
    /// [`KnownSkill::system`].
    #[must_use]
    pub fn rated_by(mut self, make: impl Fn() -> Box<dyn Rater> + Send + Sync + 'static) -> Self {
        self.rated = Some(Arc::new(make));
        self
    }

    /// The same world, which fails where the policy wakes more than `any` times plus `each` times for each ticket,
    /// though no ticket comes, leaves or answers. Default: no limit.
    #[must_use]
    pub fn with_most_wakeups(mut self, any: u64, each: u64) -> Self {
        self.most_wakeups = Some((any, each));
        self
    }

    /// The same world but for some parameters.
    pub(super) fn changed(&self, change: impl FnOnce(&mut ScenarioParams)) -> Result<Self, ScenarioError> {
        let mut params = self.params.clone();
        change(&mut params);
        Ok(Self {
            log: self.log.clone(),
            leaving: self.leaving.clone(),
            churn_estimate: self.churn_estimate.clone(),
            rated: self.rated.clone(),
            most_wakeups: self.most_wakeups,
            ..params.build()?
        })
    }

    /// Refuses a policy that needs numbers, pings or estimates that no ticket of this world has, that is for ratings of
    /// another scale, that has not the queues of its parties, or no team for them. Of a log's tickets nothing is known beforehand.
    ///
    /// # Errors
    /// [`ScenarioError::Policy`] names the key.
    pub fn check_policy(&self, policy: &LoadedPolicy) -> Result<(), ScenarioError> {
        let refuse = |key, what: String| {
            let policy = policy.label.name.clone();
            Err(ScenarioError::Policy { key, policy, what })
        };
        let scoring = policy.scoring.as_deref();
        if let Some((key, what)) = self.missing(scoring, &policy.settings.needs) {
            return refuse(key, what);
        }
        if let Some(what) = policy.scale.as_ref().and_then(|scale| self.misfit(scale)) {
            return refuse("rating", what);
        }
        let params = &self.params;
        if self.has_log() {
            return Ok(());
        }
        let known = &policy.settings.queues;
        for name in params.people.queues.iter().flat_map(|of| &of.names) {
            if !known.contains_key(name) {
                return refuse("people.queues", format!("has no queue `{name}`"));
            }
        }
        if params.people.roster {
            let least = known.values().flatten().copied().min().unwrap_or(0);
            let smallest = params.people.parties.iter().position(|share| *share > 0.0);
            let smallest = smallest.map_or(0, |place| place + 1);
            if smallest < least {
                let what = format!("has no team for a roster of {smallest}: {least} at least");
                return refuse("people.parties", what);
            }
            return Ok(());
        }
        let largest = known.values().flatten().copied().max().unwrap_or(0);
        let most = params.people.parties.iter().rposition(|share| *share > 0.0);
        let most = most.map_or(0, |place| place + 1);
        if most > largest {
            return refuse(
                "people.parties",
                format!("has no team for a party of {most}: {largest} at most"),
            );
        }
        Ok(())
    }

    /// Refuses an objective that judges by what no ticket of this world has. Of a log's tickets nothing is known
    /// beforehand.
    ///
    /// # Errors
    /// [`ScenarioError::Objective`] names the key.
    pub fn check_judge(&self, judge: &Judge) -> Result<(), ScenarioError> {
        let of = judge.objective().params().of.as_ref();
        // Quality is asked for only where no number says what a mismatch is.
        let scoring = judge.scoring().filter(|_| of.is_none());
        let found = self.missing(scoring, of);
        found.map_or(Ok(()), |(key, what)| Err(ScenarioError::Objective { key, what }))
    }

    const fn has_log(&self) -> bool {
        self.log.is_some() || self.params.arrivals.log.is_some()
    }

    /// What players are asked for that they have not, and the key that would give it to them.
    fn missing<'a>(
        &self,
        scoring: Option<&dyn TeamScorer>,
        needs: impl IntoIterator<Item = &'a String>,
    ) -> Option<(&'static str, String)> {
        if self.has_log() {
            return None;
        }
        let params = &self.params;
        let numbers = &params.people.numbers;
        let is_known = |name: &str| match name {
            "rating" | "skill" => true,
            "uncertainty" => {
                self.rated.is_some() || params.rating.system.is_some() || params.rating.error_deviation > 0.0
            }
            _ => numbers.contains_key(name),
        };
        let has_pings = params.regions.iter().all(|region| !region.pings.is_empty());
        let has_names = params.regions.iter().all(|region| !region.name.is_empty());
        let field = |(field, factor): (PlayerField, &str)| {
            let (name, is_there, key) = match field {
                PlayerField::Pings | PlayerField::RegionPings => ("pings", has_pings, "regions"),
                PlayerField::Region => ("region", has_names, "regions"),
                PlayerField::Churn => ("churn", params.churn.is_some(), "churn"),
                _ => (field.name(), is_known(field.name()), "people.numbers"),
            };
            (!is_there).then(|| (key, format!("needs `{name}` of each player, for `{factor}`")))
        };
        let number = |need: &String| {
            let what = || {
                (
                    "people.numbers",
                    format!("needs the number `{need}` of each player"),
                )
            };
            (!is_known(need)).then(what)
        };
        let mut fields = scoring.into_iter().flat_map(TeamScorer::required_fields);
        fields
            .find_map(field)
            .or_else(|| needs.into_iter().find_map(number))
    }

    /// The matchmaker's model of who leaves, if it is given and not learnt.
    pub(super) fn churn_estimate(&self) -> Option<&dyn ChurnModel<[Outcome]>> {
        let model = self.churn_estimate.as_deref();
        model.map(|model| model as _)
    }

    /// The truth of who leaves, if players' outcomes decide it.
    pub(super) fn leaving(&self) -> Option<(&LeavingParams, &dyn ChurnModel<[Outcome]>)> {
        let params = self.params.again.leaving.as_ref()?;
        let model = self.leaving.as_deref();
        Some((
            params,
            model.map_or(params, |model| model as &dyn ChurnModel<[Outcome]>),
        ))
    }
}

/// The region of a ticket with the least ping; empty without regions.
pub(super) fn nearest(ticket: &Ticket) -> String {
    nearest_region(ticket).unwrap_or_default().to_owned()
}
