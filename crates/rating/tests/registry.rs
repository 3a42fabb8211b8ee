//! Every system by its name: what its settings say of themselves, documents, and systems whose ratings are those of any.

use matchwright_rating::laws::team::check_teams;
use matchwright_rating::laws::{Draw, check_all, check_tunable};
use matchwright_rating::{
    AnyParams, AnyRating, Glicko2Params, RatingDocument, RatingParams, RatingSystem, ShiftRating, SystemKind,
    SystemName, TeamRatingSystem,
};

#[test]
fn names_are_unique_those_that_are_serialised_and_told_in_words() {
    for (k, &name) in SystemName::ALL.iter().enumerate() {
        assert!(
            SystemName::ALL[..k]
                .iter()
                .all(|other| other.name() != name.name())
        );
        assert_eq!(serde_json::to_value(name).unwrap(), name.name());
        assert_eq!(name.name().parse(), Ok(name));
        assert_eq!(name.params().name(), name);
        assert!(name.about().starts_with(name.title()), "{name}");
    }
    let error = "glicko3".parse::<SystemName>().unwrap_err();
    assert_eq!(error.to_string(), "`glicko3` is no rating system");
}

#[test]
fn settings_that_are_turned_build_or_are_refused() {
    for &name in SystemName::ALL {
        let forms =
            std::iter::once(name.params()).chain(matchwright_rating::Tunable::other_forms(&name.params()));
        for form in forms {
            check_tunable(&form, |params: &AnyParams| RatingParams::of(*params).check()).unwrap();
            RatingParams::of(form).check().unwrap();
        }
    }
}

#[test]
fn documents_are_read_back_and_say_what_is_wrong_and_where() {
    let mut document = RatingDocument::default();
    for &name in SystemName::ALL {
        document.set(RatingParams {
            performance: if name.kind() == SystemKind::Whole {
                0.0
            } else {
                0.5
            },
            ..RatingParams::of(name)
        });
    }
    let json = serde_json::to_string(&document).unwrap();
    assert_eq!(RatingDocument::from_json(&json).unwrap(), document);
    let text = toml::to_string(&document).unwrap();
    let again = RatingDocument::from_toml(&text).unwrap();
    // Tables are in any order there.
    assert!(
        SystemName::ALL
            .iter()
            .all(|&name| again.get(name) == document.get(name)),
        "{text}"
    );
    for (text, place, what) in [
        (
            "[glicko3]",
            (1, 2),
            "unknown variant `glicko3`, expected one of `elo`,",
        ),
        (
            "[elo]\nk = 3",
            (2, 1),
            "unknown field `k`, expected one of `period`,",
        ),
        (
            "[elo.params]\nkk = 3",
            (2, 1),
            "unknown field `kk`, expected one of `k`, `initial`, `curve`",
        ),
        (
            "[elo.params]\nk = \"a\"",
            (2, 5),
            "invalid type: string \"a\", expected f64",
        ),
        (
            "[elo.params]\nk = -3",
            (1, 2),
            "`k` is -3: give a number above 0 to 1000000",
        ),
        (
            "[through-time]\nladder = {}",
            (1, 1),
            "only elo, scheduled-elo, glicko, glicko2, dom, dota, trueskill, weng-lin, elo-mmr can have a ladder",
        ),
        ("[elo]\n[elo]", (2, 2), "duplicate key"),
    ] {
        let error = RatingDocument::from_toml(text).unwrap_err();
        assert!(error.what.contains(what), "{error}");
        assert_eq!((error.line, error.column), place, "{error}");
    }
    let error = RatingDocument::from_json("{\"elo\": {},\n\"elo\": {}}").unwrap_err();
    assert!(
        error.what.contains("`elo` is there twice") && error.line == 2,
        "{error}"
    );
    let one: RatingParams = serde_json::from_str("\"trueskill\"").unwrap();
    assert_eq!(one, RatingParams::of(SystemName::TrueSkill));
    for (text, what) in [
        ("\"glicko3\"", "`glicko3` is no rating system; there are elo,"),
        ("{}", "expected one rating system"),
        (
            "3",
            "expected the name of a rating system, or a table of that name",
        ),
    ] {
        let error = serde_json::from_str::<RatingParams>(text)
            .unwrap_err()
            .to_string();
        assert!(error.contains(what), "{error}");
    }
}

/// Ratings of a system, of the usual kind.
fn sampler(newcomer: &AnyRating, points: f64) -> impl FnMut(&mut Draw) -> AnyRating + use<> {
    let newcomer = newcomer.clone();
    move |draw| newcomer.shifted(points * draw.uniform(-4.0, 4.0))
}

#[test]
fn systems_with_ratings_of_any_keep_the_laws() {
    for &name in SystemName::ALL {
        let params = RatingParams::of(name);
        let points = params.points_for_ten_to_one();
        if let Some(system) = params.system.build_pairs().unwrap() {
            check_all(&system, sampler(&system.initial(), points), 3, 200).unwrap();
        }
        let teams = params.system.build_teams(None).unwrap();
        assert_eq!(teams.is_some(), name.kind() != SystemKind::Whole);
        if let Some(system) = teams {
            check_teams(&system, sampler(&system.initial(), points), 4, 60).unwrap();
        }
    }
}

#[test]
fn a_rating_of_any_is_that_of_its_system_and_of_another_a_newcomers() {
    let settings = Glicko2Params::default();
    let (own, any) = (
        settings.build().unwrap(),
        AnyParams::from(settings).build_pairs().unwrap().unwrap(),
    );
    let (a, b) = own.update_pair(
        (&own.initial(), 0.0),
        (&own.initial(), 0.0),
        matchwright_rating::Score::WIN,
    );
    let (c, d) = any.update_pair(
        (&any.initial(), 0.0),
        (&any.initial(), 0.0),
        matchwright_rating::Score::WIN,
    );
    assert_eq!((AnyRating::Glicko2(a), AnyRating::Glicko2(b)), (c.clone(), d));
    let elo = SystemName::Elo.params().build_pairs().unwrap().unwrap();
    assert_eq!(elo.update(&c, 0.0, &[]), elo.initial());
    assert_eq!(elo.expected_score(&c, &elo.initial()), 0.5);
    let back: AnyRating = serde_json::from_str(&serde_json::to_string(&c).unwrap()).unwrap();
    assert_eq!(back, c);
}
