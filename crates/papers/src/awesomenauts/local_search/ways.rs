//! The ways to divide parties among two teams.

/// Sides (0 or 1) of each party, way after way, such that no team gets more players than it takes; both are full if
/// `filled`. Of teams of one size the first party is in the first, as swapping sides changes nothing.
pub(super) fn ways(parties: &[usize], sizes: (usize, usize), filled: bool) -> Vec<u8> {
    fn extend(parties: &[usize], room: [usize; 2], filled: bool, way: &mut Vec<u8>, found: &mut Vec<u8>) {
        let Some(&size) = parties.get(way.len()) else {
            if !filled || room == [0, 0] {
                found.extend_from_slice(way);
            }
            return;
        };
        let is_first_of_equals = way.is_empty() && room[0] == room[1];
        for side in 0..if is_first_of_equals { 1 } else { 2_u8 } {
            let mut after = room;
            let Some(left) = room[usize::from(side)].checked_sub(size) else {
                continue;
            };
            after[usize::from(side)] = left;
            way.push(side);
            extend(parties, after, filled, way, found);
            way.pop();
        }
    }
    let (mut found, mut way) = (Vec::new(), Vec::with_capacity(parties.len()));
    extend(parties, [sizes.0, sizes.1], filled, &mut way, &mut found);
    found
}

/// How many splits there are of players who came alone: C(a + b, a), half of it for teams of one size.
pub(super) fn count((a, b): (usize, usize)) -> u64 {
    let splits = (1..=a as u64).fold(1, |splits, k| splits * (b as u64 + k) / k);
    if a == b { splits / 2 } else { splits }
}
