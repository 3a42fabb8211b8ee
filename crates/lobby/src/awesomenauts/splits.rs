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
        for side in 0..2_u8 {
            let mut room = room;
            let Some(left) = room[usize::from(side)].checked_sub(size) else {
                continue;
            };
            room[usize::from(side)] = left;
            way.push(side);
            extend(parties, room, filled, way, found);
            way.pop();
        }
    }
    let mut found = Vec::new();
    let mut way = Vec::with_capacity(parties.len());
    let mut room = [sizes.0, sizes.1];
    if sizes.0 == sizes.1 && !parties.is_empty() {
        let Some(left) = room[0].checked_sub(parties[0]) else {
            return found;
        };
        room[0] = left;
        way.push(0);
    }
    extend(parties, room, filled, &mut way, &mut found);
    found
}

/// How many ways there are to divide that many who came alone: C(a + b, a), half of it for teams of one size; at most
/// `u64::MAX`.
pub(super) fn count(sizes: (usize, usize)) -> u64 {
    let (small, large) = (sizes.0.min(sizes.1) as u128, sizes.0.max(sizes.1) as u128);
    let mut ways = 1_u128;
    for k in 1..=small {
        let Some(product) = ways.checked_mul(large + k) else {
            return u64::MAX;
        };
        ways = product / k;
    }
    if small == large {
        ways /= 2;
    }
    u64::try_from(ways).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_who_came_alone_are_split_in_ten_ways() {
        assert_eq!(count((3, 3)), 10);
        assert_eq!(ways(&[1; 6], (3, 3), true).len(), 10 * 6);
        for sizes in [(1, 1), (2, 2), (1, 3), (3, 2), (5, 5), (2, 4)] {
            let players = sizes.0 + sizes.1;
            let found = ways(&vec![1; players], sizes, true).len() / players;
            assert_eq!(found as u64, count(sizes), "{sizes:?}");
        }
        assert_eq!(count((5, 5)), 126);
        assert_eq!(count((500, 500)), u64::MAX);
    }

    #[test]
    fn parties_are_in_one_team() {
        assert_eq!(ways(&[3, 2, 1], (3, 3), true), [0, 1, 1]);
        assert_eq!(ways(&[2, 2, 2], (3, 3), true), [0; 0]);
        assert_eq!(ways(&[2, 1, 1], (3, 1), true), [0, 0, 1, 0, 1, 0]);
        // One is to come.
        assert_eq!(ways(&[2, 2, 1], (3, 3), false), [0, 1, 0, 0, 1, 1]);
    }
}
