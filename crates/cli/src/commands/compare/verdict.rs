//! What a comparison of rating systems says, in a sentence.

use matchwright_sim::rate::LossDifference;

/// A system's losses on the same games as the others'.
pub(super) struct Losses<'a> {
    pub(super) name: &'static str,
    pub(super) mean: f64,
    pub(super) each: &'a [f64],
}

/// How one stands to another whose loss less its own is this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Better,
    Unclear,
    Worse,
}

impl Standing {
    fn of(difference: Option<&LossDifference>) -> Self {
        match difference {
            Some(one) if one.low > 0.0 => Self::Better,
            Some(one) if one.high < 0.0 => Self::Worse,
            _ => Self::Unclear,
        }
    }
}

/// Names with commas and an "and".
fn names(all: &[&Losses<'_>]) -> String {
    let names: Vec<&str> = all.iter().map(|one| one.name).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// A difference in words: `0.0041 to 0.0102`.
fn by(difference: Option<&LossDifference>) -> String {
    difference.map_or_else(String::new, |one| {
        let [low, high] = if one.low > 0.0 {
            [one.low, one.high]
        } else {
            [-one.high, -one.low]
        };
        format!(" by {low:.4} to {high:.4}")
    })
}

/// The sentence about systems, the best first, without a baseline. `between` is the first's mean loss less the second's.
pub(super) fn of_best<'a>(
    systems: &[Losses<'a>],
    constant: f64,
    between: impl Fn(&Losses<'a>, &Losses<'a>) -> Option<LossDifference>,
) -> String {
    let Some((best, others)) = systems.split_first() else {
        return String::new();
    };
    let none = if best.mean >= constant {
        "; none forecasts better than the outcomes' own shares"
    } else {
        ""
    };
    let standing = |other: &&Losses<'a>| Standing::of(between(other, best).as_ref());
    let (worse, tied): (Vec<_>, Vec<_>) = others
        .iter()
        .partition(|other| standing(other) == Standing::Better);
    let first = &[best][..];
    let tied: Vec<&Losses<'_>> = first.iter().copied().chain(tied).collect();
    let nearest = worse.first().map(|worse| by(between(worse, best).as_ref()));
    let nearest = nearest.unwrap_or_default();
    let or_more = if worse.len() > 1 { " or more" } else { "" };
    let nearest = format!("{nearest} nats a game{or_more}");
    let sentence = match (&tied[..], &worse[..]) {
        ([_], []) => format!(
            "{} forecasts with a log loss of {:.4} nats a game",
            best.name, best.mean
        ),
        ([_], worse) => format!("{} forecasts better than {}:{nearest}", best.name, names(worse)),
        (tied, []) => format!(
            "No clear difference between {}: log losses from {}",
            names(tied),
            ends(tied)
        ),
        (tied, worse) => {
            let all = |one: &&Losses<'a>| {
                worse
                    .iter()
                    .all(|worse| Standing::of(between(worse, one).as_ref()) == Standing::Better)
            };
            let who = match tied.len() {
                _ if !tied.iter().all(all) => best.name,
                2 => "both",
                3 => "all three",
                _ => "all of them",
            };
            let verb = if who == best.name { "forecasts" } else { "forecast" };
            let of_best = if who == best.name { "" } else { " (the first" };
            let close = if who == best.name { "" } else { ")" };
            format!(
                "No clear difference between {}; {who} {verb} better than {}{of_best}{nearest}{close}",
                names(tied),
                names(worse)
            )
        }
    };
    format!("{sentence}{none}.")
}

/// The least and the greatest loss.
fn ends(systems: &[&Losses<'_>]) -> String {
    let losses = systems.iter().map(|one| one.mean);
    let (low, high) = losses.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| {
        (low.min(loss), high.max(loss))
    });
    format!("{low:.4} to {high:.4} nats a game")
}

/// The sentence about systems beside one of them. `between` as above.
pub(super) fn of_baseline<'a>(
    baseline: &Losses<'a>,
    others: &[&Losses<'a>],
    between: impl Fn(&Losses<'a>, &Losses<'a>) -> Option<LossDifference>,
) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (wanted, words) in [
        (Standing::Worse, "better"),
        (Standing::Unclear, ""),
        (Standing::Better, "worse"),
    ] {
        let found: Vec<&Losses<'a>> = others
            .iter()
            .copied()
            .filter(|other| Standing::of(between(other, baseline).as_ref()) == wanted)
            .collect();
        if found.is_empty() {
            continue;
        }
        if wanted == Standing::Unclear {
            parts.push(format!("no clear difference to {}", names(&found)));
            continue;
        }
        let each = found.iter().map(|one| {
            let how_much = by(between(one, baseline).as_ref());
            format!("{} forecasts {words}{how_much}", one.name)
        });
        parts.extend(each);
    }
    if parts.is_empty() {
        return format!("{} alone is compared with nothing.", baseline.name);
    }
    format!("Against {}, in nats a game: {}.", baseline.name, parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [f64; 0] = [];

    fn losses(all: &[(&'static str, f64)]) -> Vec<Losses<'static>> {
        let one = |&(name, mean): &(&'static str, f64)| Losses {
            name,
            mean,
            each: &NONE,
        };
        all.iter().map(one).collect()
    }

    /// Differences of the means, give or take a hundredth.
    #[allow(clippy::unnecessary_wraps, reason = "as real ones are asked")]
    fn between(first: &Losses<'_>, second: &Losses<'_>) -> Option<LossDifference> {
        let mean = first.mean - second.mean;
        Some(LossDifference {
            mean,
            low: mean - 0.01,
            high: mean + 0.01,
        })
    }

    #[test]
    fn what_is_clear_and_what_is_not_is_said_of_all() {
        let said = |all: &[(&'static str, f64)]| of_best(&losses(all), 0.69, between);
        assert_eq!(
            said(&[("elo", 0.6)]),
            "elo forecasts with a log loss of 0.6000 nats a game."
        );
        assert_eq!(
            said(&[("glicko", 0.6), ("elo", 0.65)]),
            "glicko forecasts better than elo: by 0.0400 to 0.0600 nats a game."
        );
        assert_eq!(
            said(&[("glicko", 0.6), ("elo", 0.605), ("dom", 0.7)]),
            "No clear difference between glicko and elo; both forecast better than dom (the first by 0.0900 to 0.1100 nats a game)."
        );
        // The third is clearly worse than the first, not than the second.
        assert_eq!(
            said(&[("glicko", 0.6), ("elo", 0.608), ("dom", 0.615)]),
            "No clear difference between glicko and elo; glicko forecasts better than dom by 0.0050 to 0.0250 nats a game."
        );
        assert_eq!(
            said(&[("a", 0.6), ("b", 0.602), ("c", 0.603), ("d", 0.65), ("e", 0.66)]),
            "No clear difference between a, b and c; all three forecast better than d and e (the first by 0.0400 to 0.0600 nats a game or more)."
        );
        assert_eq!(
            said(&[("a", 0.7), ("b", 0.702)]),
            "No clear difference between a and b: log losses from 0.7000 to 0.7020 nats a game; none forecasts better than the \
             outcomes' own shares."
        );
    }

    #[test]
    fn beside_a_baseline_each_is_better_unclear_or_worse() {
        let all = losses(&[("glicko", 0.6), ("elo", 0.65), ("dota", 0.655), ("dom", 0.7)]);
        let others = [&all[0], &all[2], &all[3]];
        assert_eq!(
            of_baseline(&all[1], &others, between),
            "Against elo, in nats a game: glicko forecasts better by 0.0400 to 0.0600; no clear difference to dota; dom forecasts worse \
             by 0.0400 to 0.0600."
        );
        assert_eq!(
            of_baseline(&all[1], &[], between),
            "elo alone is compared with nothing."
        );
        // Of one game there is no interval, and nothing is clear.
        let unknown = |_: &Losses<'_>, _: &Losses<'_>| {
            Some(LossDifference {
                mean: 0.1,
                low: f64::NAN,
                high: f64::NAN,
            })
        };
        assert!(of_baseline(&all[1], &others[..1], unknown).contains("no clear difference to glicko"));
    }
}
