//! [`PartyAdjusted`]: any team system with party bonuses around it.

use crate::draw::OutcomeProbabilities;
use crate::party::bonus::PartyBonus;
use crate::system::RatingEstimate;
use crate::team::{Member, PlaceProbabilities, ShiftRating, TeamGame, TeamRatingSystem, length};

/// A team system that sees every member of a party as better by the party's bonus.
///
/// Before a game each rating is raised by the bonus of its party, and after it lowered again by the
/// same points: the rating stays that of the player alone, and a party that wins as often as its
/// bonus says keeps it.
///
/// ```
/// use matchwright_rating::{
///     EloParams, EloRating, FixedDraw, Member, PartyAdjusted, PartyBonusParams, Side, TeamAdapter, TeamGame,
///     TeamRatingSystem, TeamSkill,
/// };
///
/// let elo = TeamAdapter::new(EloParams::default().build()?, TeamSkill::Mean, FixedDraw::new(0.0)?);
/// let bonus = PartyBonusParams { size_points: [40.0; 4], ..PartyBonusParams::default() };
/// let system = PartyAdjusted::new(elo, bonus.build()?);
///
/// let player = Member::new(EloRating::new(1500.0)?);
/// let friends = vec![player.clone().in_party(1), player.clone().in_party(1)];
/// let strangers = vec![player.clone(), player];
/// let expected = system.outcome_probabilities(&friends, &strangers).win;
/// assert!((expected - 1.0 / (1.0 + 10_f64.powf(-0.1))).abs() < 1e-12);
/// // So beating strangers tells less than it would of players who queued alone.
/// let after = system.update(&TeamGame::new(vec![
///     Side::of_members(1, friends),
///     Side::of_members(2, strangers),
/// ])?);
/// assert!(after[0][0].value() < 1516.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartyAdjusted<S> {
    system: S,
    bonus: PartyBonus,
}

impl<S> PartyAdjusted<S> {
    /// `system` with `bonus`.
    pub const fn new(system: S, bonus: PartyBonus) -> Self {
        Self { system, bonus }
    }

    /// The bonus.
    #[must_use]
    pub const fn bonus(&self) -> &PartyBonus {
        &self.bonus
    }

    /// The system within.
    #[must_use]
    pub const fn system(&self) -> &S {
        &self.system
    }
}

impl<S> TeamRatingSystem for PartyAdjusted<S>
where
    S: TeamRatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    type Rating = S::Rating;

    fn initial(&self) -> S::Rating {
        self.system.initial()
    }

    fn after_inactivity(&self, player: &S::Rating, elapsed_periods: f64) -> S::Rating {
        self.system.after_inactivity(player, elapsed_periods)
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> OutcomeProbabilities {
        let length = length([side, opponents]);
        let raised = |side| self.bonus.adjusted_in(side, length);
        let (side, opponents) = (raised(side), raised(opponents));
        self.system.outcome_probabilities(&side, &opponents)
    }

    fn decided_probabilities(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> OutcomeProbabilities {
        let length = length([side, opponents]);
        let raised = |side| self.bonus.adjusted_in(side, length);
        let (side, opponents) = (raised(side), raised(opponents));
        self.system.decided_probabilities(&side, &opponents)
    }

    fn place_probabilities(&self, sides: &[&[Member<S::Rating>]]) -> PlaceProbabilities {
        let length = length(sides.iter().copied());
        let raised: Vec<_> = sides
            .iter()
            .map(|side| self.bonus.adjusted_in(side, length))
            .collect();
        let raised: Vec<&[_]> = raised.iter().map(AsRef::as_ref).collect();
        self.system.place_probabilities(&raised)
    }

    fn at_once(&self, before: &S::Rating, after: &[S::Rating]) -> Option<S::Rating> {
        self.system.at_once(before, after)
    }

    fn update(&self, game: &TeamGame<S::Rating>) -> Vec<Vec<S::Rating>> {
        let length = game.length();
        let bonuses: Vec<Vec<f64>> = game
            .sides()
            .iter()
            .map(|side| self.bonus.of_side_in(&side.members, length))
            .collect();
        let raised = game.map_seats(|side, seat, member| member.rating.shifted(bonuses[side][seat]));
        let mut after = self.system.update(&raised);
        let sides = game.sides().iter().zip(raised.sides());
        for ((side, raised), after) in sides.zip(&mut after) {
            for ((member, raised), rating) in side.members.iter().zip(&raised.members).zip(after) {
                // Less than the bonus where the scale ends.
                let points = raised.rating.rating() - member.rating.rating();
                if raised.rating != member.rating {
                    // Raising and lowering rounds, and who took no part keeps the rating to the bit.
                    let absent = member.share == 0.0;
                    *rating = if absent {
                        member.rating.clone()
                    } else {
                        rating.shifted(-points)
                    };
                }
            }
        }
        after
    }
}
