//! [`Connectivity`] of the graph of results (strong components, by Tarjan), which decides whether a maximum exists.

use super::comparison::Pair;

/// How the comparisons hang together.
///
/// Draw an arrow from everyone who scored (won, or drew) to whom it was against. The likelihood has a
/// maximum, and only one, if and only if the arrows lead from every player to every other: Zermelo 1929,
/// Ford, "Solution of a ranking problem from binary comparisons", 1957 (doi 10.2307/2308513).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Connectivity {
    /// From everyone to everyone.
    Connected,
    /// All are compared, but nobody of a group ever scored against an earlier group: the likelihood
    /// grows with the distance between the groups, without end.
    Separable {
        /// The groups that are connected inside, each in ascending order: no group comes after one that
        /// it scored against.
        groups: Vec<Vec<usize>>,
    },
    /// Some are not compared with others at all, not even through third parties.
    Disconnected {
        /// The players that are, each in ascending order, by their first player.
        components: Vec<Vec<usize>>,
    },
}

impl Connectivity {
    /// Whether the likelihood has a maximum.
    #[must_use]
    pub const fn is_connected(&self) -> bool {
        matches!(self, Self::Connected)
    }

    /// Of `players` with `pairs` among them. Linear in both.
    pub(super) fn of(players: usize, pairs: &[Pair]) -> Self {
        let components = weak_components(players, pairs);
        if components.len() > 1 {
            return Self::Disconnected { components };
        }
        let groups = connected_groups(players, pairs);
        if groups.len() > 1 {
            Self::Separable { groups }
        } else {
            Self::Connected
        }
    }
}

/// The groups that are connected inside, no group after one that it scored against. Linear in both.
pub(super) fn connected_groups(players: usize, pairs: &[Pair]) -> Vec<Vec<usize>> {
    strong_components(&scored_against(players, pairs))
}

fn scored_against(players: usize, pairs: &[Pair]) -> Vec<Vec<usize>> {
    let mut arrows = vec![Vec::new(); players];
    for pair in pairs {
        if pair.won > 0.0 {
            arrows[pair.first].push(pair.second);
        }
        if pair.lost > 0.0 {
            arrows[pair.second].push(pair.first);
        }
    }
    arrows
}

fn weak_components(players: usize, pairs: &[Pair]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); players];
    for pair in pairs {
        neighbours[pair.first].push(pair.second);
        neighbours[pair.second].push(pair.first);
    }
    let mut seen = vec![false; players];
    let mut components = Vec::new();
    for start in 0..players {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut component = vec![start];
        let mut next = 0;
        while let Some(&player) = component.get(next) {
            next += 1;
            for &other in &neighbours[player] {
                if !std::mem::replace(&mut seen[other], true) {
                    component.push(other);
                }
            }
        }
        component.sort_unstable();
        components.push(component);
    }
    components
}

/// Strongly connected components, sources first: Tarjan, "Depth-first search and linear graph
/// algorithms", 1972 (doi 10.1137/0201010), without recursion.
fn strong_components(arrows: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; arrows.len()];
    let mut low = vec![0; arrows.len()];
    let mut open = vec![false; arrows.len()];
    let (mut stack, mut components, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..arrows.len() {
        if order[root] != UNSEEN {
            continue;
        }
        // A player and how many of its arrows were followed.
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((player, followed)) = path.last_mut() {
            let player = *player;
            if *followed == 0 {
                (order[player], low[player], open[player]) = (count, count, true);
                count += 1;
                stack.push(player);
            }
            if let Some(&other) = arrows[player].get(*followed) {
                *followed += 1;
                if order[other] == UNSEEN {
                    path.push((other, 0));
                } else if open[other] {
                    low[player] = low[player].min(order[other]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[player]);
            }
            if low[player] == order[player] {
                let from = stack.iter().rposition(|&member| member == player).unwrap_or(0);
                let mut component = stack.split_off(from);
                for &member in &component {
                    open[member] = false;
                }
                component.sort_unstable();
                components.push(component);
            }
        }
    }
    // Found from the sinks up.
    components.reverse();
    components
}

/// Whether the data say how large a first player's advantage is.
///
/// They do not if the advantage could grow (or shrink) without end and the strengths make up for it, that
/// is, if for one sign s there are numbers u with `u_i - u_j + s >= 0` wherever the first player i scored
/// and `<= 0` wherever the second player j did. Such a system of differences has a solution unless its
/// graph has a cycle of negative length, which Bellman and Ford's method finds: linear for most
/// data, players times pairs at worst.
pub(super) fn advantage_is_identified(players: usize, pairs: &[Pair]) -> bool {
    [1, -1].into_iter().all(|sign| {
        let mut edges: Vec<(usize, usize, i64)> = Vec::with_capacity(2 * pairs.len());
        for pair in pairs {
            if pair.won > 0.0 {
                edges.push((pair.first, pair.second, sign));
            }
            if pair.lost > 0.0 {
                edges.push((pair.second, pair.first, -sign));
            }
        }
        has_negative_cycle(players, &edges)
    })
}

fn has_negative_cycle(nodes: usize, edges: &[(usize, usize, i64)]) -> bool {
    let mut distance = vec![0_i64; nodes];
    let mut parent: Vec<Option<usize>> = vec![None; nodes];
    for _ in 0..=nodes {
        let mut changed = false;
        for &(from, to, length) in edges {
            if distance[from] + length < distance[to] {
                distance[to] = distance[from] + length;
                parent[to] = Some(from);
                changed = true;
            }
        }
        if !changed {
            return false;
        }
        // A cycle of parents is one of negative length, and shows long before the last round.
        if has_cycle(&parent) {
            return true;
        }
    }
    true
}

fn has_cycle(parent: &[Option<usize>]) -> bool {
    // In which walk a node was first visited; 0 for none.
    let mut walk_of = vec![0_usize; parent.len()];
    for start in 0..parent.len() {
        let walk = start + 1;
        let mut node = Some(start);
        while let Some(current) = node {
            if walk_of[current] == walk {
                return true;
            }
            if walk_of[current] != 0 {
                break;
            }
            walk_of[current] = walk;
            node = parent[current];
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(first: usize, second: usize) -> Pair {
        Pair {
            first,
            second,
            won: 1.0,
            lost: 0.0,
        }
    }

    #[test]
    fn groups_come_in_the_order_in_which_they_beat_each_other() {
        // 3 > {0, 4} > 1, with 2 between 3 and 1.
        let pairs = [
            beat(3, 0),
            beat(0, 4),
            beat(4, 0),
            beat(4, 1),
            beat(3, 2),
            beat(2, 1),
        ];
        let Connectivity::Separable { groups } = Connectivity::of(5, &pairs) else {
            unreachable!("nobody beat player 3")
        };
        let place = |player: usize| groups.iter().position(|group| group.contains(&player)).unwrap();
        assert_eq!(groups.len(), 4);
        assert_eq!(place(0), place(4));
        assert!(place(3) < place(0) && place(0) < place(1) && place(3) < place(2) && place(2) < place(1));
    }

    #[test]
    fn a_cycle_of_wins_connects_and_one_missing_link_separates() {
        let cycle: Vec<Pair> = (0..2000).map(|i| beat(i, (i + 1) % 2000)).collect();
        assert_eq!(Connectivity::of(2000, &cycle), Connectivity::Connected);
        let Connectivity::Separable { groups } = Connectivity::of(2000, &cycle[..1999]) else {
            unreachable!("the first was never beaten")
        };
        assert_eq!(groups, (0..2000).map(|i| vec![i]).collect::<Vec<_>>());
        let draw = Pair {
            lost: 1.0,
            ..beat(0, 1)
        };
        assert_eq!(Connectivity::of(2, &[draw]), Connectivity::Connected);
        assert_eq!(
            Connectivity::of(4, &[beat(0, 2), beat(1, 3)]),
            Connectivity::Disconnected {
                components: vec![vec![0, 2], vec![1, 3]]
            }
        );
        assert_eq!(Connectivity::of(1, &[]), Connectivity::Connected);
    }

    #[test]
    fn an_advantage_is_identified_only_if_first_players_win_and_lose_against_the_odds() {
        let lost_to = |first, second| Pair {
            first,
            second,
            won: 0.0,
            lost: 1.0,
        };
        // Always the same one first: its strength and the advantage are one number.
        let same = [
            beat(0, 1),
            Pair {
                lost: 2.0,
                ..beat(0, 1)
            },
        ];
        assert!(!advantage_is_identified(2, &same));
        // Each has been first, and whoever was won: the advantage may be infinite.
        assert!(!advantage_is_identified(2, &[beat(0, 1), beat(1, 0)]));
        assert!(!advantage_is_identified(2, &[lost_to(0, 1), lost_to(1, 0)]));
        let both = [beat(0, 1), beat(1, 0), lost_to(0, 1), lost_to(1, 0)];
        assert!(advantage_is_identified(2, &both));
        assert!(!advantage_is_identified(3, &[]));
    }
}
