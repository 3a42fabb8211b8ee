//! Tokens that were changed at random.

use super::*;

/// `SplitMix64`: seeded, so that a failure can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }

    fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

#[test]
fn a_hundred_thousand_random_and_mutated_tokens() {
    random_and_mutated(100_000);
}

#[test]
#[ignore = "minutes: run by `cargo xtask test --deep`"]
fn ten_million_random_and_mutated_tokens() {
    random_and_mutated(10_000_000);
}

fn random_and_mutated(tokens: usize) {
    let good: Vec<String> = (0..4)
        .flat_map(|n| {
            let claims = with(claims(), "sub", format!("s{n}"));
            [ED.token(&claims), EC.token(&claims)]
        })
        .collect();
    let bits = [
        "",
        ".",
        "..",
        "=",
        " ",
        "\0",
        "-",
        "_",
        "A",
        "é",
        "eyJ",
        "e30",
        "bnVsbA",
        "Bearer ",
        "W10",
        "\u{1f600}",
    ];
    let mut random = Random(0x5eed);
    let (mut accepted, mut tried) = (0, 0);
    for _ in 0..tokens {
        let mut token: Vec<char> = good[random.below(good.len())].chars().collect();
        match random.below(100) {
            // Nonsense of the token's own characters and others.
            0..40 => {
                token = (0..random.below(60))
                    .flat_map(|_| random.of(&bits).chars())
                    .collect();
            }
            // A wrong character in the header, where it says `alg` and `kid`: refused without arithmetic.
            40..95 => {
                let at = random.below(34);
                token[at] = char::from(32 + u8::try_from(random.below(96)).unwrap());
            }
            // Anything anywhere: changed, put in, taken out, cut off, or doubled.
            95..99 => {
                for _ in 0..=random.below(3) {
                    if token.is_empty() {
                        break;
                    }
                    let at = random.below(token.len());
                    match random.below(5) {
                        0 => token[at] = char::from(33 + u8::try_from(random.below(94)).unwrap()),
                        1 => token.insert(at, random.of(&["A", ".", "=", "z"]).chars().next().unwrap()),
                        2 => drop(token.remove(at)),
                        3 => token.truncate(at + 1),
                        _ => token.extend_from_within(at..),
                    }
                }
            }
            // Parts of two tokens.
            _ => {
                let other = &good[random.below(good.len())];
                let parts = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
                let (mut mine, theirs) = (parts(&token.iter().collect::<String>()), parts(other));
                let at = random.below(3);
                mine[at].clone_from(&theirs[at]);
                token = mine.join(".").chars().collect();
            }
        }
        let token: String = token.into_iter().collect();
        let result = check(&token);
        assert!(result.is_err() || good.contains(&token), "{token}");
        accepted += u32::from(result.is_ok());
        tried += u32::from(matches!(result, Err(BadSignature)));
    }
    // The loop is no good if it never meets a valid token, or never a signature that does not hold.
    assert!(
        accepted > 100 && tried > 1000,
        "{accepted} taken, {tried} with a wrong signature"
    );
}
