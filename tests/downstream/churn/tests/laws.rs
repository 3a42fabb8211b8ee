//! The public laws, run on a model from outside the workspace.

use downstream_churn::{Player, Tiring};
use matchwright_churn::laws::{LawViolation, check_all};
use matchwright_churn::{ChurnModel, FromFn, Outcome};

fn players() -> Vec<Player> {
    Outcome::ALL
        .into_iter()
        .flat_map(|last| [0.0, 0.5, 3.0, 1e9].map(|session_hours| Player { last, session_hours }))
        .collect()
}

#[test]
fn a_model_from_outside_keeps_the_laws() {
    let players = players();
    let states: Vec<&Player> = players.iter().collect();
    let model = Tiring { half_life_hours: 2.0 };
    assert_eq!(check_all(&model, &states), Ok(()));
    let boxed: Box<dyn ChurnModel<Player>> = Box::new(model);
    assert_eq!(check_all(&boxed, &states), Ok(()));
}

#[test]
fn a_wrong_model_from_outside_is_caught() {
    let players = players();
    let states: Vec<&Player> = players.iter().collect();
    let percent = FromFn(|player: &Player| 100.0 * Tiring { half_life_hours: 2.0 }.churn_probability(player));
    assert!(matches!(
        check_all(&percent, &states),
        Err(LawViolation::OutOfRange { state: 1, .. })
    ));
}
