//! Probabilities of places: systems beside each other, and beside games that were played.

use approx::assert_abs_diff_eq;
use matchwright_rating::laws::Draw;
use matchwright_rating::{
    Davidson, EloParams, EloRating, GaussianRating, Member, PartyAdjusted, PartyBonusParams,
    PlaceProbabilities, TeamAdapter, TeamRatingSystem, TeamSkill, TrueSkillParams, WengLinModel,
    WengLinParams,
};

const MUS: [f64; 4] = [31.0, 26.0, 24.5, 18.0];

fn field(sigma: f64) -> Vec<[Member<GaussianRating>; 1]> {
    let side = |mu| [Member::new(GaussianRating::new(mu, sigma).unwrap())];
    MUS.map(side).to_vec()
}

fn places<S: TeamRatingSystem>(system: &S, sides: &[[Member<S::Rating>; 1]]) -> PlaceProbabilities {
    let sides: Vec<&[Member<S::Rating>]> = sides.iter().map(<[_; 1]>::as_slice).collect();
    system.place_probabilities(&sides)
}

/// How often each of this many sides took each place in games of these performances.
fn played(sides: usize, mut performances: impl FnMut() -> Vec<f64>) -> Vec<Vec<f64>> {
    const GAMES: u32 = 40_000;
    let mut counts = vec![vec![0.0; sides]; sides];
    for _ in 0..GAMES {
        let performed = performances();
        for (side, own) in performed.iter().enumerate() {
            let place = performed.iter().filter(|other| *other > own).count();
            counts[side][place] += 1.0 / f64::from(GAMES);
        }
    }
    counts
}

fn assert_as_played(places: &PlaceProbabilities, counts: &[Vec<f64>]) {
    for (p, share) in places.rows().iter().flatten().zip(counts.iter().flatten()) {
        // Four standard errors.
        assert_abs_diff_eq!(p, share, epsilon = 0.01);
    }
}

/// Two independent standard normal numbers.
fn normals(draw: &mut Draw) -> [f64; 2] {
    let radius = (-2.0 * draw.uniform(1e-300, 1.0).ln()).sqrt();
    let angle = draw.uniform(0.0, std::f64::consts::TAU);
    [radius * angle.cos(), radius * angle.sin()]
}

#[test]
fn trueskills_places_are_those_of_games_by_its_own_model() {
    let system = TrueSkillParams::default().build().unwrap();
    let draw = &mut Draw::new(1);
    let counts = played(4, || {
        let perform = |mu: f64| {
            let [skill, luck] = normals(draw);
            mu + 3.0 * skill + 25.0 / 6.0 * luck
        };
        MUS.into_iter().map(perform).collect()
    });
    assert_as_played(&places(&system, &field(3.0)), &counts);
}

#[test]
fn elos_places_are_those_of_games_in_which_all_pairs_follow_its_curve_whatever_the_draws() {
    let elo = EloParams::default().build().unwrap();
    let draw = &mut Draw::new(2);
    let ratings = [1700.0, 1500.0, 1480.0, 1300.0, 1650.0];
    let counts = played(5, || {
        // Gumbel's noise on the scale of 400 points for odds of ten.
        let noise = |draw: &mut Draw| -400.0 / 10_f64.ln() * (-draw.uniform(1e-300, 1.0).ln()).ln();
        ratings.map(|rating| rating + noise(draw)).to_vec()
    });
    let sides = ratings.map(|rating| [Member::new(EloRating::new(rating).unwrap())]);
    for draws in [0.0, 0.3] {
        let model = Davidson::from_draw_probability(draws).unwrap();
        let system = TeamAdapter::new(elo, TeamSkill::Mean, model);
        assert_as_played(&places(&system, &sides), &counts);
    }
}

#[test]
fn two_sides_place_as_often_as_one_wins_a_decided_game() {
    for model in [
        WengLinModel::BradleyTerryFull,
        WengLinModel::ThurstoneMostellerPartial,
        WengLinModel::PlackettLuce,
    ] {
        let params = WengLinParams {
            model,
            ..WengLinParams::default()
        };
        let system = params.build().unwrap();
        let sides = &field(4.0)[..2];
        let p = system.outcome_probabilities(&sides[0], &sides[1]);
        let first = places(&system, sides).rows()[0][0];
        assert_abs_diff_eq!(first, p.win / (p.win + p.loss), epsilon = 1e-12);
    }
}

#[test]
fn a_first_place_by_plackett_and_luce_is_a_softmax_on_the_papers_scale() {
    let params = WengLinParams {
        model: WengLinModel::PlackettLuce,
        ..WengLinParams::default()
    };
    let c = (4.0_f64 * (9.0 + (25.0_f64 / 6.0).powi(2))).sqrt();
    let total: f64 = MUS.iter().map(|mu| (mu / c).exp()).sum();
    let places = places(&params.build().unwrap(), &field(3.0));
    for (row, mu) in places.rows().iter().zip(MUS) {
        assert_abs_diff_eq!(row[0], (mu / c).exp() / total, epsilon = 1e-13);
    }
}

#[test]
fn a_party_bonus_raises_the_places_of_its_side_alone_and_an_empty_side_is_a_newcomer() {
    let system = TrueSkillParams::default().build().unwrap();
    let pair = |mu, party: Option<u32>| -> Vec<Member<GaussianRating>> {
        let member = Member::new(GaussianRating::new(mu, 2.0).unwrap());
        [member.clone(), member]
            .map(|member| Member { party, ..member })
            .to_vec()
    };
    let sides = [pair(25.0, None), pair(25.0, Some(1)), pair(25.0, None)];
    let sides: Vec<&[_]> = sides.iter().map(Vec::as_slice).collect();
    let plain = system.place_probabilities(&sides);
    let bonus = PartyBonusParams {
        size_points: [2.0; 4],
        ..PartyBonusParams::default()
    };
    let bonus = bonus.build().unwrap();
    let raised = PartyAdjusted::new(system, bonus).place_probabilities(&sides);
    assert_abs_diff_eq!(plain.rows()[1][0], 1.0 / 3.0, epsilon = 1e-12);
    assert!(raised.rows()[1][0] > 0.34 && raised.rows()[0][0] < 0.33);
    let newcomer = [Member::new(system.initial())];
    assert_eq!(
        system.place_probabilities(&[&[], sides[0]]),
        system.place_probabilities(&[&newcomer, sides[0]])
    );
}
