//! What of the games and of the command line changes no rating, in words.

use matchwright_rating::history::{Game, History, Side};
use matchwright_rating::{AdvantageChoice, DrawKind, PeriodChoice, RatingParams, SystemSettings};

use crate::arguments::{PartyName, RateOptions};
use matchwright_import::TimeUnit;
use matchwright_import::text::listed;

/// What games tell beside their time, players and order.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Tells {
    /// Of games of two sides.
    scores: bool,
    parties: bool,
    performances: bool,
    teams: bool,
    games_of_two: bool,
    contexts: bool,
    /// Times of the first and the last.
    span: Option<(i64, i64)>,
}

impl Tells {
    /// With what more games tell.
    pub(crate) fn look(&mut self, history: &History) {
        self.performances |= history.has_performances();
        self.contexts |= !history.contexts().is_empty();
        if let Some((first, last)) = history.span() {
            self.span = Some((self.span.map_or(first, |(first, _)| first), last));
        }
        let sides =
            |is_so: &dyn Fn(Side<'_>) -> bool| history.games().any(|game: Game<'_>| game.sides().any(is_so));
        let games = |is_so: &dyn Fn(Game<'_>) -> bool| history.games().any(is_so);
        let of_two = |game: Game<'_>| game.sides().len() == 2;
        let has_scores = |game: Game<'_>| game.sides().any(|side| side.score() != 0.0);
        self.scores = self.scores || games(&|game| of_two(game) && has_scores(game));
        self.parties = self.parties || sides(&|side| side.seats().any(|seat| seat.party.is_some()));
        self.teams = self.teams || sides(&|side| side.players().len() > 1);
        self.games_of_two = self.games_of_two || games(&of_two);
    }

    /// Options that change nothing, each with its reason, and what nothing looks at.
    pub(super) fn notes(self, options: &RateOptions, params: &RatingParams) -> Vec<String> {
        let asks_bonus = options.party_bonus != PartyName::Off || params.party_bonus.is_some();
        let has_advantage = params.home_advantage != AdvantageChoice::Points(0.0);
        let by_clock = params.period != PeriodChoice::Game;
        let is_index = options.reading.time_unit == Some(TimeUnit::Index);
        let is_batch = matches!(params.period, PeriodChoice::Batch(_));
        let seasons = |(first, last)| {
            params
                .seasons
                .as_ref()
                .is_some_and(|all| all.between(Some(first), last) > 0)
        };
        let is_still = !params.system.grows_with_time() || (is_index && by_clock);
        let all = [
            (
                params.margin.is_some() && !self.scores,
                "--margin had no effect: no game of two sides has scores",
            ),
            (
                params.performance > 0.0 && !self.performances,
                "no player has a performance, so --performance changes nothing: --columns performance=COLUMN names it",
            ),
            (
                params.performance > 0.0 && self.performances && !self.teams,
                "--performance had no effect: every side is one player",
            ),
            (
                params.context_games.is_some() && !self.contexts,
                "--context-games had no effect: no match says what was played, in a column `context` or one that --columns \
                 context=NAME names",
            ),
            (
                params.decay.is_some() && is_index,
                "--decay had no effect: under --time-unit index no time passes",
            ),
            (
                params.seasons.is_some() && !self.span.is_some_and(seasons),
                "--seasons had no effect: none starts between the first match and the last",
            ),
            (
                asks_bonus && !self.parties,
                "--party-bonus had no effect: no players of a game queued together",
            ),
            (
                options.team_skill.is_some() && !self.teams,
                "--team-skill had no effect: every side is one player",
            ),
            (
                has_advantage && !self.games_of_two,
                "--home-advantage had no effect: no game has two sides",
            ),
            (
                options.period.is_some() && is_still && !is_batch,
                "--period had no effect: no deviation grows with time, by the system, its parameters or --time-unit index",
            ),
            (
                options.draws.is_some() && params.draw_kind() == DrawKind::Never,
                "--draws had no effect: the draw probability is 0, so that there are no draws",
            ),
            (
                options.ladder.promote_after.is_some() && options.ladder.promote_at.is_empty(),
                "--promote-after had no effect: --promote-at has the averages to pass",
            ),
        ];
        let said = all.into_iter().filter(|(is_so, _)| *is_so);
        let said = said.map(|(_, what)| what.to_owned());
        said.chain(self.ignored(asks_bonus || options.accounts.accounts, params.performance > 0.0))
            .collect()
    }

    /// What nothing looks at, unless it is weighed.
    pub(crate) fn ignored(self, weighs_parties: bool, weighs_performances: bool) -> Option<String> {
        let all = [
            (self.parties && !weighs_parties, "parties (`rate --party-bonus`)"),
            (
                self.performances && !weighs_performances,
                "performances (`rate --performance`)",
            ),
        ];
        let said = all.into_iter().filter(|(is_so, _)| *is_so);
        let listed = listed(said.map(|(_, what)| what.to_owned()))?;
        Some(format!("what the system does not look at: {listed}"))
    }
}
