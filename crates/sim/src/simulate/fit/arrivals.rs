//! When parties came, and from where.

use std::collections::BTreeMap;
use std::fmt::Write;

use matchwright_queue::Time;

use super::{FittedScenario, Observed, rounded};
use crate::replay::LoggedTicket;
use crate::simulate::scenario::{RegionParams, nearest};

const HOURS: usize = 24;
const HOUR_MS: i64 = 3_600_000;
/// Twice the lead in log-likelihood from which a shift of a day is clear: 13.8 is the 99.98 % quantile of chi-squared with
/// one degree, which leaves 1 in 200 for the best of 23 shifts of a region without any.
const CLEAR: f64 = 13.8;

/// The tickets of each region, by name: that of the least ping.
pub(super) type Homes<'a> = BTreeMap<String, Vec<&'a LoggedTicket>>;

/// Fits rates, hours and regions.
pub(super) fn fit<'a>(observed: Observed<'a>, fitted: &mut FittedScenario) -> Homes<'a> {
    let mut homes: Homes<'a> = BTreeMap::new();
    for logged in observed.log.tickets() {
        homes.entry(nearest(&logged.ticket)).or_default().push(logged);
    }
    let span = Span::of(observed);
    let tickets = observed.log.len() as u64;
    let is_day = span.seconds() >= 86_400.0;
    let counts: Vec<[f64; HOURS]> = homes.values().map(|tickets| by_hour(tickets)).collect();
    let exposure = span.exposure();
    let mut shifts = vec![0; homes.len()];
    // Over a day all hours were seen, and each weighs the same however often it was.
    let rates: Vec<f64> = if is_day {
        shifts = day_shifts(&counts, &exposure);
        let rate = |counts: &[f64; HOURS]| {
            let hours = counts
                .iter()
                .zip(&exposure)
                .map(|(count, seconds)| count / seconds);
            hours.sum::<f64>() / HOURS as f64
        };
        counts.iter().map(rate).collect()
    } else {
        let rate = |counts: &[f64; HOURS]| counts.iter().sum::<f64>() / span.seconds();
        counts.iter().map(rate).collect()
    };
    let per_second: f64 = rates.iter().sum();
    let error = per_second / (tickets as f64).sqrt();
    fitted.params.arrivals.per_second = rounded(per_second);
    fitted.value(
        "arrivals.per_second".to_owned(),
        (per_second, error),
        (tickets, "tickets"),
    );
    if is_day {
        fitted.params.arrivals.by_hour = profile(&counts, &rates, &exposure, &shifts);
        let least = (0..HOURS)
            .map(|hour| counts.iter().map(|counts| counts[hour]).sum::<f64>())
            .fold(f64::INFINITY, f64::min);
        fitted.note(
            "arrivals",
            format!("by_hour is 1 on average, in local hours from 0 on; the hour with the fewest tickets has {least}"),
        );
    } else {
        let hours = span.seconds() / 3600.0;
        let text =
            format!("the log spans {hours:.1} hours, less than a day: all hours are taken to be as busy");
        fitted.note("arrivals", text);
    }
    note_returns(observed, fitted);
    regions(&homes, (&rates, &shifts), is_day, fitted);
    homes
}

/// What was observed: from the first arrival to the last, or to the end of the journal.
struct Span {
    from: i64,
    to: i64,
}

impl Span {
    fn of(observed: Observed<'_>) -> Self {
        let tickets = observed.log.tickets();
        let came = |logged: Option<&LoggedTicket>| logged.map_or(0, |logged| logged.came.millis());
        let (from, last) = (came(tickets.first()), came(tickets.last()));
        let end = observed.journal.map_or(last, |journal| journal.end.millis());
        // The gap before the first ticket is not seen: one more of the mean length stands for it.
        let gap = (last - from) / i64::try_from(tickets.len().max(2) - 1).unwrap_or(i64::MAX);
        Self {
            from,
            to: end.max(last + gap).max(from + 1),
        }
    }

    fn seconds(&self) -> f64 {
        (self.to - self.from) as f64 / 1000.0
    }

    /// Seconds of each hour of the day that were observed.
    fn exposure(&self) -> [f64; HOURS] {
        let days = (self.to - self.from) / (24 * HOUR_MS);
        let mut seconds = [3600.0 * days as f64; HOURS];
        let mut at = self.from + days * 24 * HOUR_MS;
        while at < self.to {
            let next = ((at.div_euclid(HOUR_MS) + 1) * HOUR_MS).min(self.to);
            seconds[hour_of(at)] += (next - at) as f64 / 1000.0;
            at = next;
        }
        seconds
    }
}

fn hour_of(millis: i64) -> usize {
    usize::try_from(millis.div_euclid(HOUR_MS).rem_euclid(24)).unwrap_or(0)
}

fn by_hour(tickets: &[&LoggedTicket]) -> [f64; HOURS] {
    let mut counts = [0.0; HOURS];
    for logged in tickets {
        counts[hour_of(logged.came.millis())] += 1.0;
    }
    counts
}

/// By region the whole hours by which its day is ahead of the clock: that at which its counts are likeliest under the
/// common day, if that is clearly likelier than none. The day of the largest region is taken for the clock's.
fn day_shifts(counts: &[[f64; HOURS]], exposure: &[f64; HOURS]) -> Vec<usize> {
    let total = |counts: &[f64; HOURS]| counts.iter().sum::<f64>();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by(|&a, &b| total(&counts[b]).total_cmp(&total(&counts[a])));
    let mut shifts = vec![0; counts.len()];
    // Counts and seconds by local hour of the regions so far.
    let (mut sums, mut seconds) = ([0.0; HOURS], [0.0; HOURS]);
    for (place, &region) in order.iter().enumerate() {
        let counts = &counts[region];
        let likelihood = |shift: usize| {
            let rate = |hour: usize| (sums[hour] + 0.5) / (seconds[hour] + 1.0);
            let local = |hour: usize| (hour + shift) % HOURS;
            let expected: f64 = (0..HOURS).map(|hour| rate(local(hour)) * exposure[hour]).sum();
            let term = |hour: usize| counts[hour] * (rate(local(hour)) / expected).ln();
            (0..HOURS).map(term).sum::<f64>()
        };
        if place > 0 {
            let best = (0..HOURS).max_by(|&a, &b| likelihood(a).total_cmp(&likelihood(b)));
            let best = best.filter(|&best| 2.0 * (likelihood(best) - likelihood(0)) > CLEAR);
            shifts[region] = best.unwrap_or(0);
        }
        for (hour, (count, of_hour)) in counts.iter().zip(exposure).enumerate() {
            let local = (hour + shifts[region]) % HOURS;
            sums[local] += count;
            // By its size, so that hours seen at different times of two regions weigh alike.
            seconds[local] += of_hour * total(counts);
        }
    }
    shifts
}

/// How busy each local hour is, 1 on average: counts by what the regions' mean rates would make of the seconds observed.
fn profile(counts: &[[f64; HOURS]], rates: &[f64], exposure: &[f64; HOURS], shifts: &[usize]) -> Vec<f64> {
    let (mut seen, mut expected) = ([0.0; HOURS], [0.0; HOURS]);
    for ((counts, rate), shift) in counts.iter().zip(rates).zip(shifts) {
        for (hour, (count, seconds)) in counts.iter().zip(exposure).enumerate() {
            let local = (hour + shift) % HOURS;
            seen[local] += count;
            expected[local] += rate * seconds;
        }
    }
    let shares = seen.iter().zip(&expected).map(|(seen, expected)| seen / expected);
    shares.map(rounded).collect()
}

/// Who came again, of which the world takes no account.
fn note_returns(observed: Observed<'_>, fitted: &mut FittedScenario) {
    let mut busy: BTreeMap<u64, Option<Time>> = BTreeMap::new();
    let (mut again, mut gaps) = (0_u64, Vec::new());
    for logged in observed.log.tickets() {
        for member in &logged.ticket.players {
            let before = busy.insert(member.id.0, logged.matched);
            again += u64::from(before.is_some());
            let gap = before.flatten().map(|at| logged.came.seconds_since(at) / 60.0);
            gaps.extend(gap.filter(|gap| *gap >= 0.0));
        }
    }
    if again == 0 {
        return;
    }
    let players = busy.len();
    let mut text = format!(
        "{again} arrivals are of players who came before, of {players} players: all are taken to come anew, at these \
         rates, whatever their last match was; `people.players` and `again` are left at their defaults"
    );
    gaps.sort_by(f64::total_cmp);
    if let Some(median) = gaps.get(gaps.len() / 2) {
        let _ = write!(
            text,
            "; half of them came within {median:.1} minutes after their last match was made"
        );
    }
    fitted.note("arrivals", text);
}

fn regions(
    homes: &Homes<'_>,
    (rates, shifts): (&[f64], &[usize]),
    is_day: bool,
    fitted: &mut FittedScenario,
) {
    if homes.keys().all(String::is_empty) {
        fitted.note("regions", "no ticket names a region".to_owned());
        return;
    }
    let total: f64 = rates.iter().sum();
    let tickets: usize = homes.values().map(Vec::len).sum();
    for (((name, of_region), rate), shift) in homes.iter().zip(rates).zip(shifts) {
        let mut pings: BTreeMap<String, (f64, usize)> = BTreeMap::new();
        for (region, ping) in of_region.iter().flat_map(|logged| &logged.ticket.regions) {
            let sum = pings.entry(region.to_string()).or_default();
            *sum = (sum.0 + ping, sum.1 + 1);
        }
        // A region that few of them accept is none to meet in.
        pings.retain(|_, sum| 2 * sum.1 >= of_region.len());
        let mean = |(region, sum): (String, (f64, usize))| (region, rounded(sum.0 / sum.1 as f64));
        let offset = if *shift > 12 {
            *shift as f64 - 24.0
        } else {
            *shift as f64
        };
        fitted.params.regions.push(RegionParams {
            name: name.clone(),
            share: rounded(rate / total),
            offset_hours: offset,
            pings: pings.into_iter().map(mean).collect(),
        });
        let key = format!("regions.{name}.share");
        fitted.share(key, rate / total, (tickets as u64, "tickets"));
    }
    let offsets = if is_day {
        "offset_hours is against the day of the largest region, in whole hours, 0 where no shift is clear"
    } else {
        "offset_hours cannot be told from less than a day"
    };
    fitted.note(
        "regions",
        format!("a ticket is of the region with its least ping; pings are means; {offsets}"),
    );
}
