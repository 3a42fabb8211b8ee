//! Games that end before their time: in every system a part of the evidence.

use approx::assert_abs_diff_eq;
use matchwright_rating::laws::{Draw, Laws, TeamPromise, check_team_promise};
use matchwright_rating::{
    DomMmrParams, DotaMmrParams, EloMmrParams, EloParams, FixedDraw, GameResult, GaussianRating,
    Glicko2Params, GlickoParams, Member, PartyAdjusted, PartyBonusParams, RatingEstimate, RatingSystem,
    ScheduledEloParams, Score, ShiftRating, Side, TeamAdapter, TeamGame, TeamRatingSystem, TeamSkill,
    ThroughTimeParams, TimedGame, TrueSkillParams, WengLinModel, WengLinParams,
};

/// Newcomers of `system` with these shares, the first against the second.
fn duel<S: TeamRatingSystem>(system: &S, places: [u32; 2], share: f64) -> [S::Rating; 2] {
    let side = |place| Side::of_members(place, vec![Member::new(system.initial()).for_share(share)]);
    let after = system.update(&TeamGame::new(places.map(side).into()).unwrap());
    [after[0][0].clone(), after[1][0].clone()]
}

fn adapted<S>(system: S) -> TeamAdapter<S, FixedDraw>
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    TeamAdapter::new(system, TeamSkill::Sum, FixedDraw::EOMM)
}

#[test]
fn the_shorter_a_game_the_less_every_system_learns_and_not_at_all_in_the_end() {
    fn keeps<S: TeamRatingSystem>(system: &S)
    where
        S::Rating: RatingEstimate,
    {
        let initial = |_: &mut Draw| system.initial();
        check_team_promise(system, TeamPromise::ShorterGamesSayLess, initial, 1, 60).unwrap();
    }
    let trueskill = TrueSkillParams::default();
    for draw_probability in [0.0, 0.1, 0.6] {
        let system = TrueSkillParams {
            draw_probability,
            ..trueskill
        };
        keeps(&system.build().unwrap());
    }
    for model in [WengLinModel::BradleyTerryFull, WengLinModel::PlackettLuce] {
        let system = WengLinParams {
            model,
            tau: 0.1,
            ..WengLinParams::default()
        };
        keeps(&system.build().unwrap());
    }
    keeps(&EloMmrParams::default().build().unwrap());
    keeps(&DotaMmrParams::default().build().unwrap());
    keeps(&adapted(EloParams::default().build().unwrap()));
    keeps(&adapted(ScheduledEloParams::default().build().unwrap()));
    keeps(&adapted(DomMmrParams::default().build().unwrap()));
    keeps(&adapted(GlickoParams::default().build().unwrap()));
    keeps(&adapted(Glicko2Params::default().build().unwrap()));
    let bonus = PartyBonusParams {
        size_points: [3.0; 4],
        ..PartyBonusParams::default()
    };
    keeps(&PartyAdjusted::new(
        trueskill.build().unwrap(),
        bonus.build().unwrap(),
    ));
}

/// A newcomer of `system` after a game of length 1, alone or beside a mate, of which it played the share `part`.
fn latecomer<S: TeamRatingSystem>(system: &S, part: f64, places: [u32; 2], mates: usize) -> S::Rating {
    let player = || Member::new(system.initial());
    let side = |place, first| {
        let mates = (0..mates).map(|_| player());
        Side::of_members(place, std::iter::once(first).chain(mates).collect())
    };
    let sides = vec![
        side(places[0], player().for_share(part)),
        side(places[1], player()),
    ];
    system.update(&TeamGame::new(sides).unwrap())[0][0].clone()
}

#[test]
fn the_smaller_a_players_part_the_less_every_system_learns_of_it_and_not_at_all_in_the_end() {
    fn keeps<S: TeamRatingSystem>(system: &S)
    where
        S::Rating: RatingEstimate,
    {
        let before = system.initial();
        let unsure = |rating: &S::Rating| rating.deviation().unwrap_or(0.0);
        for (places, mates) in [([1, 2], 0), ([2, 1], 0), ([1, 1], 0), ([1, 2], 1), ([2, 1], 1)] {
            // The least that takes part at all, and with mates less than that.
            let least = if mates == 0 { 1e-6 } else { 1e-308 };
            let after = [0.5, 0.1, 0.01, 1e-4, least].map(|part| latecomer(system, part, places, mates));
            for pair in after.windows(2) {
                assert!(
                    unsure(&pair[1]) >= unsure(&pair[0]) - 1e-9,
                    "{places:?} {mates}: {pair:?}"
                );
            }
            let least = &after[4];
            let step = (least.rating() - before.rating()).abs();
            assert!(step <= 1e-4 * before.rating(), "{places:?} {mates}: {least:?}");
            assert!(
                unsure(least) >= 0.999 * unsure(&before),
                "{places:?} {mates}: {least:?}"
            );
        }
    }
    keeps(&TrueSkillParams::default().build().unwrap());
    for model in [WengLinModel::BradleyTerryFull, WengLinModel::PlackettLuce] {
        let system = WengLinParams {
            model,
            ..WengLinParams::default()
        };
        keeps(&system.build().unwrap());
    }
    keeps(&EloMmrParams::default().build().unwrap());
    keeps(&DotaMmrParams::default().build().unwrap());
    keeps(&adapted(EloParams::default().build().unwrap()));
    keeps(&adapted(ScheduledEloParams::default().build().unwrap()));
    keeps(&adapted(DomMmrParams::default().build().unwrap()));
    keeps(&adapted(GlickoParams::default().build().unwrap()));
    keeps(&adapted(Glicko2Params::default().build().unwrap()));
}

#[test]
fn a_part_of_a_game_alone_is_as_much_evidence_for_elo_mmr_as_a_game_of_that_length() {
    let system = EloMmrParams::default().build().unwrap();
    for share in [1.0, 0.5, 0.1, 0.01] {
        let [won, _] = duel(&system, [1, 2], share);
        let alone = latecomer(&system, share, [1, 2], 0);
        assert_abs_diff_eq!(alone.deviation(), won.deviation(), epsilon = 1e-9);
    }
    assert_abs_diff_eq!(
        latecomer(&system, 0.01, [1, 2], 0).deviation(),
        346.3,
        epsilon = 0.05
    );
}

#[test]
fn a_share_of_a_game_is_so_much_information_for_glicko_and_glicko_2() {
    // v = phi^2 / (1 + phi^2 share g^2 / 4), step share g v / 2, on the scale of either.
    for (share, step, deviation) in [
        (1.0, 162.212_002_606, 290.230_506_091),
        (0.5, 96.118_658_128, 315.951_494_202),
        (0.1, 22.565_167_360, 342.310_992_439),
        (0.01, 2.348_358_966, 349.207_697_112),
    ] {
        let [won, lost] = duel(&adapted(GlickoParams::default().build().unwrap()), [1, 2], share);
        assert_abs_diff_eq!(won.rating(), 1500.0 + step, epsilon = 1e-8);
        assert_abs_diff_eq!(lost.rating(), 1500.0 - step, epsilon = 1e-8);
        assert_abs_diff_eq!(won.deviation(), deviation, epsilon = 1e-8);
        assert_abs_diff_eq!(lost.deviation(), deviation, epsilon = 1e-8);
        // Glicko-2 cuts its scale off at four decimals.
        let [won, lost] = duel(&adapted(Glicko2Params::default().build().unwrap()), [1, 2], share);
        assert_abs_diff_eq!(won.rating(), 1500.0 + step, epsilon = 2e-6);
        assert_abs_diff_eq!(lost.rating(), 1500.0 - step, epsilon = 2e-6);
        assert_abs_diff_eq!(won.deviation(), deviation, epsilon = 2e-6);
    }
}

#[test]
fn a_share_of_a_game_is_so_much_of_k_for_elo_dom_and_dota() {
    for share in [1.0, 0.5, 0.01] {
        let [won, _] = duel(&adapted(EloParams::default().build().unwrap()), [1, 2], share);
        assert_abs_diff_eq!(won.value(), 1500.0 + 16.0 * share, epsilon = 1e-12);
        let [won, _] = duel(&adapted(DomMmrParams::default().build().unwrap()), [1, 2], share);
        assert_abs_diff_eq!(won.glory(), 12_000.0 + 128.0 * share, epsilon = 1e-9);
        let [won, _] = duel(&DotaMmrParams::default().build().unwrap(), [1, 2], share);
        assert_abs_diff_eq!(won.rating(), 2250.0 + 0.16 * 542.0 * 0.5 * share, epsilon = 1e-9);
        assert_abs_diff_eq!(won.deviation(), 542.0 * 0.95_f64.powf(share), epsilon = 1e-9);
    }
}

#[test]
fn a_defeat_of_the_favourite_in_a_short_game_ends_a_streak_in_dom() {
    // The expected score of .9 and a hundredth of the surprise made a score of .89, which counted as a win.
    let dom = adapted(DomMmrParams::default().build().unwrap());
    let favourite = matchwright_rating::DomRating::new(14_000.0, 50, 4).unwrap();
    let side = |place, rating| Side::of_members(place, vec![Member::new(rating).for_share(0.01)]);
    let game = TeamGame::new(vec![side(2, favourite), side(1, dom.initial())]).unwrap();
    assert_eq!(dom.update(&game)[0][0].streak(), -1);
}

/// A game of some sides with shares of it, of players of a usual spread.
fn game(draw: &mut Draw, length: f64) -> Vec<Side<GaussianRating>> {
    let side = |draw: &mut Draw| {
        let members = (0..=draw.below(3)).map(|seat| {
            let rating = GaussianRating::new(draw.uniform(15.0, 35.0), draw.uniform(1.0, 8.0)).unwrap();
            let part = if seat == 0 { 1.0 } else { draw.uniform(0.1, 1.0) };
            Member::new(rating).for_share(length * part)
        });
        members.collect()
    };
    (0..2 + draw.below(3))
        .map(|_| Side::of_members(1 + draw.below(3), side(draw)))
        .collect()
}

/// The same game as if it had been a whole one.
fn whole<R: Clone>(sides: &[Side<R>], length: f64) -> Vec<Side<R>> {
    let members = |side: &Side<R>| {
        let members = side.members.iter();
        members
            .map(|one| one.clone().for_share(one.share / length))
            .collect()
    };
    let sides = sides.iter();
    sides
        .map(|side| Side::of_members(side.place, members(side)))
        .collect()
}

/// That `system` sees games of a length as `luckier`, whose beta is larger by 1 / sqrt(length), sees whole ones.
fn sees_luck<S: TeamRatingSystem>(
    system: &S,
    luckier: &S,
    length: f64,
    rated: impl Fn(&GaussianRating) -> S::Rating,
) where
    S::Rating: RatingEstimate,
{
    let draw = &mut Draw::new(5);
    for _ in 0..40 {
        let sides = TeamGame::new(game(draw, length))
            .unwrap()
            .map(|one| rated(&one.rating));
        assert_eq!(sides.length(), length);
        let short = whole(sides.sides(), length);
        let p = system.outcome_probabilities(&sides.sides()[0].members, &sides.sides()[1].members);
        let q = luckier.outcome_probabilities(&short[0].members, &short[1].members);
        for (p, q) in [(p.win, q.win), (p.draw, q.draw), (p.loss, q.loss)] {
            assert_abs_diff_eq!(p, q, epsilon = 1e-9);
        }
        let members =
            |sides: &[Side<S::Rating>]| sides.iter().map(|side| side.members.clone()).collect::<Vec<_>>();
        let (here, there) = (members(sides.sides()), members(&short));
        let places = |system: &S, sides: &[Vec<Member<S::Rating>>]| {
            system.place_probabilities(&sides.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let (p, q) = (places(system, &here), places(luckier, &there));
        for (p, q) in p.rows().iter().flatten().zip(q.rows().iter().flatten()) {
            assert_abs_diff_eq!(p, q, epsilon = 1e-9);
        }
        let (one, other) = (
            system.update(&sides),
            luckier.update(&TeamGame::new(short).unwrap()),
        );
        for (one, other) in one.iter().flatten().zip(other.iter().flatten()) {
            assert_abs_diff_eq!(one.rating(), other.rating(), epsilon = 1e-7);
            assert_abs_diff_eq!(
                one.deviation().unwrap(),
                other.deviation().unwrap(),
                epsilon = 1e-7
            );
        }
    }
}

#[test]
fn a_short_game_is_a_whole_one_with_more_luck_where_luck_has_a_deviation() {
    for length in [1.0, 0.5, 0.03] {
        let more = |beta: f64| beta / f64::sqrt(length);
        let trueskill = TrueSkillParams::default();
        let luckier = TrueSkillParams {
            beta: more(trueskill.beta),
            ..trueskill
        };
        let (system, luckier) = (trueskill.build().unwrap(), luckier.build().unwrap());
        sees_luck(&system, &luckier, length, |rating| *rating);
        let draw = &mut Draw::new(6);
        for _ in 0..20 {
            let short = game(draw, length);
            let there = whole(&short, length);
            let quality = |system: &matchwright_rating::TrueSkill, sides: &[Side<GaussianRating>]| {
                system.match_quality(
                    &sides
                        .iter()
                        .map(|side| side.members.as_slice())
                        .collect::<Vec<_>>(),
                )
            };
            assert_abs_diff_eq!(
                quality(&system, &short),
                quality(&luckier, &there),
                epsilon = 1e-9
            );
        }
        for model in [WengLinModel::BradleyTerryFull, WengLinModel::PlackettLuce] {
            let weng_lin = WengLinParams {
                model,
                ..WengLinParams::default()
            };
            let luckier = WengLinParams {
                beta: more(weng_lin.beta),
                ..weng_lin
            };
            let (system, luckier) = (weng_lin.build().unwrap(), luckier.build().unwrap());
            sees_luck(&system, &luckier, length, |rating| *rating);
        }
        let elo_mmr = EloMmrParams::default();
        let luckier = EloMmrParams {
            beta: more(elo_mmr.beta),
            ..elo_mmr
        };
        let rated = |one: &GaussianRating| {
            matchwright_rating::EloMmrRating::new(60.0 * one.rating(), 40.0 * one.deviation()).unwrap()
        };
        let (system, luckier) = (elo_mmr.build().unwrap(), luckier.build().unwrap());
        sees_luck(&system, &luckier, length, rated);
    }
}

#[test]
fn through_time_reads_a_short_game_as_trueskill_does() {
    let model = ThroughTimeParams::default().build().unwrap();
    let draw = &mut Draw::new(7);
    for length in [1.0, 0.4, 0.01] {
        for _ in 0..10 {
            let mut players = 0..;
            let sides = game(draw, length);
            let numbered = TeamGame::new(sides).unwrap().map(|_| players.next().unwrap());
            let count: usize = numbered.sides().iter().map(|side| side.members.len()).sum();
            let newcomers = numbered.map(|_| model.system().initial());
            let fit = model.fit(count, &[TimedGame::new(0.0, numbered)]).unwrap();
            let after = model.system().update(&newcomers);
            for (player, rating) in after.iter().flatten().enumerate() {
                let skill = fit.curve(player).unwrap()[0].skill;
                assert_abs_diff_eq!(skill.rating(), rating.rating(), epsilon = 1e-6);
                assert_abs_diff_eq!(skill.deviation(), rating.deviation(), epsilon = 1e-6);
            }
        }
    }
}

#[test]
fn the_sum_of_a_team_and_a_partys_bonus_are_those_of_a_whole_game_at_any_length() {
    let bonus = PartyBonusParams {
        size_points: [40.0; 4],
        ..PartyBonusParams::default()
    };
    let system = PartyAdjusted::new(
        adapted(EloParams::default().build().unwrap()),
        bonus.build().unwrap(),
    );
    let player =
        |value, share| Member::new(matchwright_rating::EloRating::new(value).unwrap()).for_share(share);
    let win = |length: f64| {
        let friends = [
            player(1520.0, length).in_party(1),
            player(1500.0, 0.5 * length).in_party(1),
        ];
        let strangers = [player(1500.0, length), player(1480.0, length)];
        system.outcome_probabilities(&friends, &strangers).win
    };
    for length in [0.5, 0.125, 1e-6] {
        assert_abs_diff_eq!(win(length), win(1.0), epsilon = 1e-12);
    }
}

#[test]
fn a_game_of_a_period_counts_by_its_share() {
    let glicko = GlickoParams::default().build().unwrap();
    let (player, other) = (glicko.initial(), GaussianRating::new(1600.0, 80.0).unwrap());
    let quarter = GameResult::new(other, Score::WIN).for_share(0.25);
    let whole = GameResult::new(other, Score::WIN);
    let four = glicko.update(&player, 1.0, &[quarter; 4]);
    let one = glicko.update(&player, 1.0, &[whole]);
    assert_abs_diff_eq!(four.rating(), one.rating(), epsilon = 1e-9);
    assert_abs_diff_eq!(four.deviation(), one.deviation(), epsilon = 1e-9);
    Laws(&glicko)
        .a_shorter_game_says_less(&player, Score::WIN)
        .unwrap();
}
