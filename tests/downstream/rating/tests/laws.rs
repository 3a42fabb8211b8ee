//! The public law suite on a foreign implementation, and the interface as an outsider uses it.

use downstream_rating::{BestOfSide, Record, ShareOfPoints, Strength};
use matchwright_rating::laws::{
    Draw, Promise, TeamPromise, check_all, check_free_for_all, check_promise, check_team_promise, check_teams,
};
use matchwright_rating::{
    FixedDraw, GameResult, Member, DrawModel, OutcomeProbabilities, PartyAdjusted, PartyBonusParams,
    RatingSystem, Score, TeamRatingSystem,
};

fn any_record(draw: &mut Draw) -> Record {
    let games = f64::from(draw.below(10_000));
    Record {
        points: draw.uniform(0.0, games),
        games,
    }
}

#[test]
fn a_foreign_system_passes_the_laws() {
    check_all(&ShareOfPoints, any_record, 1, 1000).unwrap();
    check_promise(&ShareOfPoints, Promise::Complement, any_record, 1, 1000).unwrap();
    assert!(check_promise(&ShareOfPoints, Promise::ZeroSum, any_record, 1, 1000).is_err());
}

#[test]
fn a_foreign_system_fits_behind_a_box_and_before_an_outcome_model() {
    let system: Box<dyn RatingSystem<Rating = Record>> = Box::new(ShareOfPoints);
    let new = system.initial();
    let won = system.update(&new, 0.0, &[GameResult::new(new.clone(), Score::WIN)]);
    let p = FixedDraw::EOMM.outcome_probabilities(
        system.expected_score(&won, &new),
        system.expected_score(&new, &won),
    );
    assert!(p.win > p.loss && p.draw == 0.2);
}

/// Draws half of the time between equals, never between unequals.
struct AllOrNothing;

impl DrawModel for AllOrNothing {
    fn outcome_probabilities(&self, expected: f64, expected_reverse: f64) -> OutcomeProbabilities {
        let draw = if expected == expected_reverse { 0.5 } else { 0.0 };
        let win = if expected > expected_reverse {
            1.0
        } else {
            (1.0 - draw) / 2.0
        };
        let win = if expected < expected_reverse { 0.0 } else { win };
        OutcomeProbabilities {
            win,
            draw,
            loss: 1.0 - draw - win,
        }
    }
}

#[test]
fn a_foreign_outcome_model_fits_in_too() {
    let model: &dyn DrawModel = &AllOrNothing;
    assert_eq!(
        model.outcome_probabilities(0.7, 0.3).reversed(),
        model.outcome_probabilities(0.3, 0.7)
    );
    assert_eq!(model.outcome_probabilities(0.5, 0.5).expected_score(), 0.5);
}

#[test]
fn a_foreign_team_system_passes_the_laws_of_teams() {
    let sampler = |draw: &mut Draw| Strength(draw.uniform(-1e6, 1e6));
    check_teams(&BestOfSide, sampler, 1, 500).unwrap();
    for promise in [TeamPromise::WinnersDoNotLose, TeamPromise::PlaceIsMonotone] {
        check_team_promise(&BestOfSide, promise, sampler, 1, 500).unwrap();
    }
    assert!(check_team_promise(&BestOfSide, TeamPromise::PointsAreOnlyMoved, sampler, 1, 500).is_err());
    check_free_for_all(&BestOfSide, sampler, 1, 1_000).unwrap();
}

#[test]
fn bonuses_of_parties_go_around_a_foreign_team_system() {
    let bonus = PartyBonusParams {
        size_points: [2.0; 4],
        ..PartyBonusParams::default()
    };
    let system: Box<dyn TeamRatingSystem<Rating = Strength>> =
        Box::new(PartyAdjusted::new(BestOfSide, bonus.build().unwrap()));
    let friend = Member::new(Strength(0.0)).in_party(1);
    let p = system.outcome_probabilities(&[friend.clone(), friend], &[Member::new(Strength(0.0))]);
    assert_eq!(p.win, 0.6);
}
