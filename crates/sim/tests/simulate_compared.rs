//! Policies on the same worlds: what is compared, and by which intervals.

use std::cmp::Ordering;
use std::sync::OnceLock;

use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::progress::Quiet;
use matchwright_sim::random::{Purpose, stream};
use matchwright_sim::replay::Judge;
use matchwright_sim::simulate::{
    ArrivalParams, ClaimParams, ClaimVerdict, Difference, Fate, Figure, FullRecord, Patience, ScenarioParams,
    SizeSearch, Target, World, Worlds, compare, front, simulate, size,
};
use rand_distr::{Distribution, Poisson};

fn document(start: f64, per_second: f64) -> PolicyDocument {
    let text = format!(
        "name = 'from {start}'
         [queue]
         accept = 'both'
         longest_wait = 300
         estimates = {{ by = 'rating', band = 200 }}
         [[queue.windows]]
         of = 'rating'
         start = {start}
         per_second = {per_second}
         [objective]
         of = 'rating'
         mismatch = 1.0
         waiting = 1.0
         lost = 300.0"
    );
    toml::from_str(&text).unwrap()
}

pub(crate) fn policy() -> LoadedPolicy {
    load(document(20.0, 4.0)).unwrap()
}

fn judge() -> Judge {
    let policy = policy();
    Judge::new(policy.objective, policy.scoring).unwrap()
}

/// Six hours, everybody new.
pub(crate) fn world() -> ScenarioParams {
    ScenarioParams {
        hours: 6.0,
        arrivals: ArrivalParams {
            per_second: 0.1,
            ..ArrivalParams::default()
        },
        patience: Some(Patience::Exponential(200.0)),
        ..ScenarioParams::default()
    }
}

pub(crate) fn run(params: ScenarioParams, seed: u64) -> FullRecord {
    let mut record = FullRecord::default();
    let scenario = params.build().unwrap();
    simulate(&scenario, &mut policy(), seed, &mut record, &mut |_| {}).unwrap();
    record
}

#[test]
fn differences_are_paired_and_clear_where_they_should_be_for_any_threads_and_shards() {
    let (scenario, judge) = (world().build().unwrap(), judge());
    let policies = [document(20.0, 4.0), document(20.0, 4.0), document(300.0, 4.0)];
    let worlds = Worlds {
        scenario: &scenario,
        policies: &policies,
        judge: &judge,
        seed: 5,
        hindsight: false,
    };
    let found = worlds.run(0..6, 1, &Quiet).unwrap();
    let again = [worlds.run(0..2, 3, &Quiet), worlds.run(2..6, 2, &Quiet)];
    let again: Vec<_> = again.into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(found, again);
    let json = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Vec<_>>(&json).ok(), Some(found.clone()));

    let compared = compare(&found);
    let of = |figure| compared.iter().find(|one| one.figure == figure).unwrap();
    for one in &compared {
        if let Some(same) = one.differences[1] {
            // Worlds that agree tell no interval.
            assert_eq!(
                (same.mean, same.interval, same.side()),
                (0.0, None, None),
                "{:?}",
                one.figure
            );
        }
    }
    let (wait, mismatch) = (of(Figure::WaitMean), of(Figure::Mismatch));
    let (sooner, worse) = (wait.differences[2].unwrap(), mismatch.differences[2].unwrap());
    assert!(
        sooner.side() == Some(Ordering::Less) && sooner.mean < 0.0,
        "{sooner:?}"
    );
    assert!(
        worse.side() == Some(Ordering::Greater) && worse.mean > 0.0,
        "{worse:?}"
    );
    assert_eq!(front(&compared, &[Figure::WaitMean, Figure::Mismatch]), [true; 3]);
    assert_eq!(front(&compared, &[Figure::WaitMean]), [false, false, true]);
}

/// Three worlds of two policies, in which this many of 600 tickets left.
fn worlds_with_leavers(left: [[u64; 3]; 2]) -> Vec<World> {
    static FOUND: OnceLock<World> = OnceLock::new();
    let (scenario, judge) = (world().build().unwrap(), judge());
    let worlds = Worlds {
        scenario: &scenario,
        policies: &[document(20.0, 4.0), document(20.0, 4.0)],
        judge: &judge,
        seed: 5,
        hindsight: false,
    };
    let one = FOUND.get_or_init(|| worlds.run(0..1, 1, &Quiet).unwrap().remove(0));
    let world = |at: usize| {
        let mut world = one.clone();
        for (policy, left) in world.policies.iter_mut().zip(left) {
            policy.tickets = [(Fate::Left, left[at]), (Fate::Matched, 600 - left[at])].into();
        }
        world
    };
    (0..3).map(world).collect()
}

fn lost(worlds: &[World]) -> Difference {
    let compared = compare(worlds);
    let lost = compared.iter().find(|one| one.figure == Figure::Lost);
    lost.unwrap().differences[1].unwrap()
}

#[test]
fn rare_events_are_compared_by_the_ratio_of_their_totals() {
    let none = lost(&worlds_with_leavers([[0; 3]; 2])).counts.unwrap();
    assert_eq!(
        (none.events, none.of, none.interval),
        ([0, 0], [1800, 1800], [0.0, f64::INFINITY])
    );
    // The difference is the same in every world, which shows no variance.
    let equal = lost(&worlds_with_leavers([[0; 3], [1; 3]]));
    assert_eq!((equal.interval, equal.side()), (None, None), "{equal:?}");
    let fewer = lost(&worlds_with_leavers([[7, 8, 6], [0, 1, 0]]));
    assert_eq!(fewer.side(), Some(Ordering::Less), "{fewer:?}");
    assert!((fewer.counts.unwrap().ratio - 1.0 / 21.0).abs() < 1e-12);
    let many = lost(&worlds_with_leavers([[70, 82, 61], [40, 60, 35]]));
    assert!(
        many.counts.is_none() && many.side() == Some(Ordering::Less),
        "{many:?}"
    );
}

#[test]
fn what_is_so_much_for_each_rare_event_is_compared_by_their_ratio_too() {
    // 0 of them against 5 are no clear difference; Student's t of 2, 1 and 2 would leave out 0.
    let mut worlds = worlds_with_leavers([[0; 3], [2, 1, 2]]);
    for policy in worlds.iter_mut().flat_map(|world| &mut world.policies) {
        let left = policy.tickets[&Fate::Left];
        policy.costs.lost = 300.0 * left as f64 / 600.0;
        policy.matches = left;
        (policy.coverage.promised, policy.coverage.kept) = (600, left);
    }
    let compared = compare(&worlds);
    let of = |figure| {
        let found = compared.iter().find(|one| one.figure == figure).unwrap();
        found.differences[1].unwrap()
    };
    let lost = of(Figure::Lost);
    for figure in [Figure::LostCost, Figure::Matches, Figure::Promises] {
        let found = of(figure);
        assert_eq!((found.interval, found.side()), (None, lost.side()), "{figure:?}");
        assert_eq!(found.counts.unwrap().events, [5, 0], "{figure:?}");
    }
    assert_eq!(of(Figure::LostCost).counts, lost.counts);
    // How often they come is known, what is paid for each of none is not.
    for claim in ["lost_cost", "matches"] {
        let text =
            format!("says = 'it'\nfigure = '{claim}'\npolicy = 'other'\nis = 'more'\nthan_value = 0.01");
        let claim: ClaimParams = toml::from_str(&text).unwrap();
        let judged = claim.judge(&["from 20", "other"], &worlds);
        assert_eq!(judged.verdict, ClaimVerdict::Inconclusive, "{text}");
    }
    // Without a price the lost cost nothing.
    for policy in worlds.iter_mut().flat_map(|world| &mut world.policies) {
        policy.costs.lost = 0.0;
    }
    let compared = compare(&worlds);
    let free = compared
        .iter()
        .find(|one| one.figure == Figure::LostCost)
        .unwrap();
    let free = free.differences[1].unwrap();
    assert_eq!((free.mean, free.counts), (0.0, None));
}

/// The interval of Student's t held the ratio of such events in a third of the triples of worlds.
#[test]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
fn intervals_of_rare_events_hold_the_ratio_of_their_rates() {
    for (seed, means) in [[0.1, 0.3], [0.5, 1.5], [4.0, 12.0]].into_iter().enumerate() {
        let mut random = stream(seed as u64, Purpose::Traits, 0, 0);
        let laws = means.map(|mean: f64| Poisson::new(mean).unwrap());
        let held = (0..300).filter(|_| {
            let left = laws.map(|law| [0; 3].map(|_| law.sample(&mut random) as u64));
            let found = lost(&worlds_with_leavers(left));
            match (found.counts, found.interval) {
                (Some(counts), _) => counts.interval[0] <= 3.0 && 3.0 <= counts.interval[1],
                (None, Some([low, high])) => {
                    let truth = (means[1] - means[0]) / 6.0;
                    low <= truth && truth <= high
                }
                (None, None) => false,
            }
        });
        let held = held.count();
        // 95 % of 300 less four standard errors, at least.
        assert!(held >= 270, "{means:?}: {held}");
    }
}

#[test]
fn claims_of_rare_events_are_judged_by_exact_intervals_and_worlds_that_agree_settle_nothing() {
    use ClaimVerdict::{Confirmed, Inconclusive, NotConfirmed};
    let names = ["from 20", "other"];
    let verdict = |worlds: &[World], text: &str| {
        let claim: ClaimParams = toml::from_str(&format!("says = 'it'\n{text}")).unwrap();
        claim.judge(&names, worlds).verdict
    };
    let fewer = "figure = 'lost'\npolicy = 'other'\nis = 'less'\nthan = 'from 20'";
    let below = |value: f64| format!("figure = 'lost'\npolicy = 'other'\nis = 'less'\nthan_value = {value}");
    for (left, claim, expected) in [
        // None left, of 1,800: at most 0.2 %.
        ([[0; 3]; 2], below(0.3), Confirmed),
        ([[0; 3]; 2], below(0.1), Inconclusive),
        ([[0; 3]; 2], fewer.to_owned(), Inconclusive),
        ([[1; 3], [0; 3]], fewer.to_owned(), Inconclusive),
        ([[3; 3], [0; 3]], fewer.to_owned(), Confirmed),
        ([[0; 3], [3; 3]], fewer.to_owned(), NotConfirmed),
    ] {
        assert_eq!(
            verdict(&worlds_with_leavers(left), &claim),
            expected,
            "{left:?} {claim}"
        );
    }
    // A wait that is the same in all worlds says nothing of others.
    let mut worlds = worlds_with_leavers([[0; 3]; 2]);
    for world in &mut worlds {
        let mean = &mut world.policies[1].waits[0].mean;
        *mean = mean.map(|mean| mean + 1.0);
    }
    let longer = "figure = 'wait_mean'\npolicy = 'other'\nis = 'more'\nthan = 'from 20'";
    assert_eq!(verdict(&worlds, longer), Inconclusive);
}

#[test]
fn claims_are_judged_by_the_side_on_which_the_interval_lies() {
    use ClaimVerdict::{Confirmed, Inconclusive, NotConfirmed, NotMeasured};
    let (scenario, judge) = (world().build().unwrap(), judge());
    let worlds = Worlds {
        scenario: &scenario,
        policies: &[document(20.0, 4.0), document(300.0, 4.0)],
        judge: &judge,
        seed: 5,
        hindsight: false,
    };
    let found = worlds.run(0..6, 0, &Quiet).unwrap();
    let names = ["from 20", "from 300"];
    let verdict = |text: &str| {
        let claim: ClaimParams = toml::from_str(&format!("says = 'it'\n{text}")).unwrap();
        let built = ScenarioParams {
            claims: vec![claim.clone()],
            ..world()
        };
        built.build().unwrap();
        claim.judge(&names, &found).verdict
    };
    let wide = "policy = 'from 300'\nthan = 'from 20'\nfigure";
    for (text, expected) in [
        (format!("{wide} = 'wait_mean'\nis = 'less'"), Confirmed),
        (format!("{wide} = 'wait_mean'\nis = 'more'"), NotConfirmed),
        (format!("{wide} = 'mismatch'\nis = 'more'"), Confirmed),
        (format!("{wide} = 'inflation'\nis = 'more'"), NotConfirmed),
        (format!("{wide} = 'ping'\nis = 'more'"), NotMeasured),
        (
            "figure = 'wait_mean'\nis = 'less'\nthan = 'nobody'".to_owned(),
            NotMeasured,
        ),
        (
            "figure = 'wait_mean'\nis = 'less'\nthan_value = 1e6".to_owned(),
            Confirmed,
        ),
        (
            "figure = 'wait_mean'\nis = 'more'\ngroup = 'rating 1800 to 2000'\nthan_group = 'all'".to_owned(),
            Confirmed,
        ),
    ] {
        assert_eq!(verdict(&text), expected, "{text}");
    }
    // A world without the group says nothing.
    let mut some = found.clone();
    some[0].policies[0].waits.retain(|waits| waits.group == "all");
    let of_group =
        "says = 'it'\nfigure = 'wait_mean'\nis = 'more'\ngroup = 'rating 1800 to 2000'\nthan_group = 'all'";
    let claim: ClaimParams = toml::from_str(of_group).unwrap();
    let judged = claim.judge(&names, &some);
    assert_eq!((judged.verdict, judged.worlds), (Confirmed, 5));

    let waits = found
        .iter()
        .map(|world| Figure::WaitMean.of(&world.policies[0]).unwrap());
    let mean = waits.sum::<f64>() / 6.0;
    let at_the_mean = format!("figure = 'wait_mean'\nis = 'more'\nthan_value = {mean}");
    assert_eq!(verdict(&at_the_mean), Inconclusive);

    for (text, key) in [
        (
            "figure = 'cost'\nis = 'less'\ngroup = 'all'\nthan_value = 1",
            "claims.group",
        ),
        ("figure = 'cost'\nis = 'less'", "claims.than"),
        (
            "figure = 'cost'\nis = 'less'\nthan = 'from 20'\nthan_value = 1",
            "claims.than_value",
        ),
        (
            "figure = 'cost'\nis = 'less'\nthan_value = nan",
            "claims.than_value",
        ),
    ] {
        let claim: ClaimParams = toml::from_str(&format!("says = 'it'\n{text}")).unwrap();
        let mut params = world();
        params.claims.push(claim);
        let said = params.build().unwrap_err().to_string();
        assert!(said.contains(key), "{said}");
    }
}

#[test]
fn a_shorter_wait_needs_more_players() {
    let (scenario, judge) = (world().build().unwrap(), judge());
    let policies = [document(20.0, 4.0)];
    let worlds = Worlds {
        scenario: &scenario,
        policies: &policies,
        judge: &judge,
        seed: 6,
        hindsight: false,
    };
    let of = |bound| {
        let targets = [(Figure::Wait50, bound), (Figure::Lost, 60.0)];
        let targets = targets.map(|(figure, bound)| Target { figure, bound });
        let search = SizeSearch {
            worlds: 2,
            most: 16.0,
            precision: 0.3,
            threads: 0,
        };
        size(&worlds, &targets, &search, &Quiet).unwrap()
    };
    let (quick, slow) = (of(8.0), of(20.0));
    assert!(
        quick.enough > slow.enough && slow.enough.is_some(),
        "{quick:?} {slow:?}"
    );
    let enough = quick.tried.iter().filter(|one| one.is_enough);
    assert!(enough.clone().count() > 0 && enough.clone().all(|one| one.found[0] <= Some(8.0)));
}
