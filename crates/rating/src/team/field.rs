//! The other sides of a game as opponents, grouped where there are many.

/// Sides that are met one by one; of more, those next to each other in skill are taken together.
const GROUPS: usize = 64;

/// An opponent: one other side, or a group of sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Opponent {
    /// Skill; of a group its mean.
    pub(crate) skill: f64,
    /// Variance of the skill, of a group within and between its sides; none where none is kept.
    pub(crate) variance: Option<f64>,
    /// How many sides it stands for.
    pub(crate) sides: f64,
}

/// All sides of a game, by skill.
pub(crate) struct Field {
    /// Skill and variance of each side, in the game's order.
    sides: Vec<(f64, Option<f64>)>,
    /// To which group each belongs.
    group_of: Vec<usize>,
    groups: Vec<Group>,
}

/// Sides next to each other in skill; skills are counted from that of the weakest.
#[derive(Debug, Clone, Copy)]
struct Group {
    weakest: f64,
    sides: f64,
    sum: f64,
    squares: f64,
    variance: Option<f64>,
}

impl Group {
    const fn from(weakest: f64) -> Self {
        Self {
            weakest,
            sides: 0.0,
            sum: 0.0,
            squares: 0.0,
            variance: Some(0.0),
        }
    }

    /// With `sign` sides (1 or -1) more of that skill and variance.
    fn with(self, (skill, variance): (f64, Option<f64>), sign: f64) -> Self {
        let above = skill - self.weakest;
        Self {
            weakest: self.weakest,
            sides: self.sides + sign,
            sum: self.sum + sign * above,
            squares: self.squares + sign * above * above,
            variance: self.variance.zip(variance).map(|(sum, one)| sum + sign * one),
        }
    }

    fn opponent(&self) -> Opponent {
        let mean = self.sum / self.sides;
        let between = (self.squares / self.sides - mean * mean).max(0.0);
        Opponent {
            skill: self.weakest + mean,
            variance: self.variance.map(|sum| (sum / self.sides).max(0.0) + between),
            sides: self.sides,
        }
    }
}

impl Field {
    /// Of sides with these skills and variances. Cost: n log n.
    pub(crate) fn of(sides: Vec<(f64, Option<f64>)>) -> Self {
        let variance = |side: usize| sides[side].1.unwrap_or(0.0);
        let compare = |&a: &usize, &b: &usize| {
            let by_skill = sides[a].0.total_cmp(&sides[b].0);
            by_skill.then(variance(a).total_cmp(&variance(b)))
        };
        let mut by_skill: Vec<usize> = (0..sides.len()).collect();
        by_skill.sort_by(compare);
        let mut group_of = vec![0; sides.len()];
        let mut groups: Vec<Group> = Vec::new();
        let (mut last, mut open) = (None, None);
        for (rank, &side) in by_skill.iter().enumerate() {
            // Twins share a group, so that their order cannot show.
            let due = rank * GROUPS.min(sides.len()) / sides.len();
            let twin = last.is_some_and(|last| compare(&last, &side).is_eq());
            if open != Some(due) && !twin {
                groups.push(Group::from(sides[side].0));
                open = Some(due);
            }
            let group = groups.len().saturating_sub(1);
            groups[group] = groups[group].with(sides[side], 1.0);
            group_of[side] = group;
            last = Some(side);
        }
        Self {
            sides,
            group_of,
            groups,
        }
    }

    /// Whom the side at `index` meets.
    pub(crate) fn others(&self, index: usize) -> Vec<Opponent> {
        let own = self.group_of[index];
        let others = self.groups.iter().enumerate().map(|(at, group)| {
            if at == own {
                group.with(self.sides[index], -1.0)
            } else {
                *group
            }
        });
        let met = others.filter(|group| group.sides > 0.0);
        met.map(|group| group.opponent()).collect()
    }
}

/// The mean of `of` over `opponents`, by the sides that they stand for.
pub(crate) fn mean_over(opponents: &[Opponent], of: impl Fn(&Opponent) -> f64) -> f64 {
    let (sum, sides) = opponents.iter().fold((0.0, 0.0), |(sum, sides), one| {
        (sum + one.sides * of(one), sides + one.sides)
    });
    sum / sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sides_are_met_one_by_one_and_many_in_groups_that_leave_nobody_out() {
        let sides = vec![(3.0, Some(4.0)), (1.0, Some(9.0)), (2.0, Some(1.0))];
        let others = Field::of(sides).others(0);
        let one = |skill, variance| Opponent {
            skill,
            variance: Some(variance),
            sides: 1.0,
        };
        assert_eq!(others, [one(1.0, 9.0), one(2.0, 1.0)]);

        let many: Vec<(f64, Option<f64>)> = (0..1000).map(|k| (f64::from(k * 37 % 1000), None)).collect();
        let field = Field::of(many.clone());
        for index in [0, 1, 500, 999] {
            let others = field.others(index);
            assert!(others.len() <= GROUPS + 1);
            assert_eq!(others.iter().map(|one| one.sides).sum::<f64>(), 999.0);
            let mean = mean_over(&others, |one| one.skill);
            assert!((mean - (499_500.0 - many[index].0) / 999.0).abs() < 1e-9);
        }
    }

    #[test]
    fn twins_meet_the_same_field_wherever_they_stand() {
        let mut sides: Vec<(f64, Option<f64>)> = (0..300).map(|k| (f64::from(k % 100), Some(1.0))).collect();
        sides.extend(vec![(50.0, Some(1.0)); 200]);
        let field = Field::of(sides);
        assert_eq!(field.others(50), field.others(499));
        assert_eq!(field.others(50), field.others(150));
    }
}
