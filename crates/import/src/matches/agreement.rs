//! Statements of one result, which must agree.
//!
//! Of two sides each statement says who did better, or that they are equal. Two that say opposite things contradict each
//! other, as do a draw and anything else; but equal scores beside a winner do not: shoot-outs and tie-breaks decide such
//! games. Of more than two sides those who are said to have lost need not be equal.

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::column_names::columns_option;
use crate::matches::field::Standings;

/// What one or several columns or keys say of how a game ended.
pub(crate) struct Statement {
    /// The names of the columns.
    pub(crate) name: String,
    /// What they say: of each side, or of all in one.
    pub(crate) says: SmallVec<[String; 2]>,
    pub(crate) column: u64,
    /// What `--columns` takes for it to count alone.
    pub(crate) choice: String,
    pub(crate) order: Order,
}

/// How the sides did.
pub(crate) enum Order {
    /// 1 for the best.
    Places(SmallVec<[u32; 2]>),
    /// 1 for who won, or for those who drew, and 2 for who lost.
    Outcomes(SmallVec<[u32; 2]>),
    /// The highest is the best.
    Scores(SmallVec<[f64; 2]>),
    /// Equal scores, which a shoot-out beside them decides.
    Level,
}

impl Order {
    /// `Less` where the first side did better.
    fn compare(&self, one: usize, other: usize) -> Ordering {
        match self {
            Self::Places(places) | Self::Outcomes(places) => places[one].cmp(&places[other]),
            Self::Scores(scores) => scores[other].partial_cmp(&scores[one]).unwrap_or(Ordering::Equal),
            Self::Level => Ordering::Equal,
        }
    }

    /// Whether two sides that are alike here must be equal.
    fn is_draw(&self, side: usize) -> bool {
        match self {
            Self::Places(_) => true,
            Self::Outcomes(places) => places.len() == 2 || places[side] == 1,
            Self::Scores(_) | Self::Level => false,
        }
    }

    /// What decides comes first.
    fn weight(&self) -> u8 {
        match self {
            Self::Places(_) => 0,
            Self::Outcomes(_) => 1,
            Self::Scores(_) | Self::Level => 2,
        }
    }
}

/// Two statements that contradict each other.
pub(crate) struct Contradiction {
    /// The side that the second tells better or worse of than the first.
    pub(crate) side: usize,
    /// Of the second.
    pub(crate) column: u64,
    pub(crate) what: String,
}

/// What all statements, one or more, say together of this many sides.
pub(crate) fn agree(mut statements: Vec<Statement>, sides: usize) -> Result<Standings, Contradiction> {
    let mut best_first: Vec<usize> = (0..sides).collect();
    // As they are told, so that the later one is complained of.
    let told: Vec<usize> = (0..statements.len()).collect();
    let mut by_weight = told.clone();
    by_weight.sort_by_key(|place| statements[*place].order.weight());
    let compare = |one: &usize, other: &usize| {
        let orders = by_weight.iter().map(|place| &statements[*place].order);
        let mut compared = orders.map(|order| order.compare(*one, *other));
        compared
            .find(|ordering| ordering.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    best_first.sort_by(compare);
    for pair in best_first.windows(2) {
        for (place, first) in told.iter().map(|place| (*place, &statements[*place])) {
            for second in &statements[place + 1..] {
                if contradict(&first.order, &second.order, [pair[0], pair[1]]) {
                    return Err(Contradiction {
                        side: pair[0].max(pair[1]),
                        column: second.column,
                        what: complaint(first, second, [pair[0], pair[1]]),
                    });
                }
            }
        }
    }
    let mut standings: Standings = SmallVec::from_elem((1, 0.0), sides);
    for at in 1..sides {
        let (above, side) = (best_first[at - 1], best_first[at]);
        standings[side].0 = match compare(&above, &side) {
            Ordering::Equal => standings[above].0,
            _ => u32::try_from(at + 1).unwrap_or(u32::MAX),
        };
    }
    let scores = statements
        .iter_mut()
        .find_map(|statement| match &mut statement.order {
            Order::Scores(scores) => Some(std::mem::take(scores)),
            _ => None,
        });
    for (standing, score) in standings.iter_mut().zip(scores.unwrap_or_default()) {
        standing.1 = score;
    }
    Ok(standings)
}

fn contradict(first: &Order, second: &Order, [one, other]: [usize; 2]) -> bool {
    match (first.compare(one, other), second.compare(one, other)) {
        (Ordering::Equal, Ordering::Equal) => false,
        (Ordering::Equal, _) => first.is_draw(one),
        (_, Ordering::Equal) => second.is_draw(one),
        (a, b) => a != b,
    }
}

fn complaint(first: &Statement, second: &Statement, sides: [usize; 2]) -> String {
    let [low, high] = [sides[0].min(sides[1]), sides[0].max(sides[1])];
    let says = |statement: &Statement| match &statement.says[..] {
        [all] => format!("{} is `{all}`", statement.name),
        each => format!("{} is `{}` and `{}`", statement.name, each[low], each[high]),
    };
    let of = match second.says.len().max(first.says.len()) {
        0..=2 => String::new(),
        _ => format!(" of sides {} and {}", low + 1, high + 1),
    };
    format!(
        "{} where {}{of}: they contradict each other; correct it, or name the one that counts: {} or {}",
        says(second),
        says(first),
        columns_option(&first.choice),
        columns_option(&second.choice)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(order: Order) -> Statement {
        Statement {
            name: "x".to_owned(),
            says: SmallVec::from_elem(String::new(), 9),
            column: 1,
            choice: String::new(),
            order,
        }
    }

    fn places(places: &[u32]) -> Order {
        Order::Places(places.into())
    }

    fn outcomes(places: &[u32]) -> Order {
        Order::Outcomes(places.into())
    }

    fn scores(scores: &[f64]) -> Order {
        Order::Scores(scores.into())
    }

    fn read(orders: Vec<Order>, sides: usize) -> Option<Vec<(u32, f64)>> {
        let statements = orders.into_iter().map(statement).collect();
        agree(statements, sides).ok().map(|standings| standings.to_vec())
    }

    #[test]
    fn statements_that_agree_are_one_result() {
        let both = read(vec![scores(&[1.0, 2.0]), outcomes(&[2, 1])], 2);
        assert_eq!(both, Some(vec![(2, 1.0), (1, 2.0)]));
        // Shoot-outs decide equal scores.
        let shoot_out = read(vec![scores(&[1.0, 1.0]), outcomes(&[2, 1])], 2);
        assert_eq!(shoot_out, Some(vec![(2, 1.0), (1, 1.0)]));
        let ranked = read(vec![places(&[3, 1, 2]), scores(&[5.0, 9.0, 5.0])], 3);
        assert_eq!(ranked, Some(vec![(3, 5.0), (1, 9.0), (2, 5.0)]));
        // One won; the scores tell the others apart.
        let fine = read(vec![outcomes(&[2, 1, 2, 2]), scores(&[3.0, 9.0, 4.0, 3.0])], 4);
        assert_eq!(fine, Some(vec![(3, 3.0), (1, 9.0), (2, 4.0), (3, 3.0)]));
    }

    #[test]
    fn statements_that_contradict_each_other_are_refused_in_any_order() {
        for [one, other] in [
            [scores(&[1.0, 2.0]), outcomes(&[1, 2])],
            [scores(&[1.0, 2.0]), outcomes(&[1, 1])],
            [places(&[1, 2]), scores(&[0.0, 3.0])],
            [places(&[1, 1]), scores(&[0.0, 3.0])],
            [places(&[1, 1]), outcomes(&[1, 2])],
            [outcomes(&[1, 1]), outcomes(&[1, 2])],
            [places(&[1, 2, 3, 4]), scores(&[9.0, 5.0, 6.0, 1.0])],
            [outcomes(&[2, 1, 2]), scores(&[9.0, 8.0, 7.0])],
            [outcomes(&[1, 1, 2]), scores(&[9.0, 8.0, 7.0])],
            [outcomes(&[1, 2, 2]), places(&[2, 1, 3])],
        ] {
            let sides = match &one {
                Order::Places(places) | Order::Outcomes(places) => places.len(),
                Order::Scores(scores) => scores.len(),
                Order::Level => 2,
            };
            let [first, second] = [one, other].map(statement);
            let Err(told) = agree(vec![first, second], sides) else {
                panic!("{sides} sides are read")
            };
            assert!(told.what.contains("contradict"), "{}", told.what);
        }
    }
}
