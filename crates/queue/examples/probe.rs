#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::print_stdout, clippy::unwrap_used)]
use matchwright_queue::*;
struct Rng(u64);
impl Rng {
    fn u(&mut self) -> f64 { self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15); let mut z = self.0; z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9); z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb); ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 }
    fn n(&mut self) -> f64 { (-2.0 * (1.0 - self.u()).ln()).sqrt() * (std::f64::consts::TAU * self.u()).cos() }
}
fn world(seed: u64, n: usize, swing: bool) -> Vec<(i64, f64)> {
    let mut r = Rng(seed * 7919);
    let mut t = 0.0; let mut v = vec![];
    let max = if swing { 1.15f64.exp() } else { 1.0 };
    while v.len() < n {
        t += -(1.0 - r.u()).ln() / max;
        let rate = if swing { (1.15 * (std::f64::consts::TAU * t / 2000.0).sin()).exp() } else { 1.0 };
        if r.u() * max < rate { v.push(((t * 1000.0) as i64, 1500.0 + 300.0 * r.n())); }
    }
    v
}
fn run(w: &[(i64, f64)], p: &PairsParams, c: f64) -> (f64, f64) {
    let mut policy = Pairs::new("", p.build().unwrap());
    let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
    let (mut cost, mut n) = (0.0, 0usize); let mut waits = vec![];
    let mut wake: Option<Time> = None; let mut i = 0;
    loop {
        let next = w.get(i).map(|x| Time::from_millis(x.0));
        let (now, ev) = match (next, wake) {
            (Some(a), Some(b)) if b < a => (b, vec![]),
            (Some(a), _) => { i += 1; (a, vec![Event::create(i as u64, Ticket::of_one(i as u64, i as u64).with("rating", w[i - 1].1))]) }
            (None, Some(b)) => (b, vec![]),
            (None, None) => break,
        };
        let out = step(&mut state, &mut policy, now, &ev).unwrap();
        for m in out.matches() { for j in &m.joined { let s = now.seconds_since(*j); waits.push(s); cost += c * s + m.lobby.mismatch / 2.0; n += 1; } }
        wake = out.wakeup;
    }
    waits.sort_by(f64::total_cmp);
    (cost / n as f64, waits[waits.len() * 99 / 100])
}
fn main() {
    let arg: Vec<String> = std::env::args().collect();
    let seeds: u64 = arg[1].parse().unwrap();
    let mode = arg[2].as_str();
    for (c, swing) in [(1.0, false), (4.0, false), (1.0, true)] {
        let ws: Vec<_> = (1..=seeds).map(|s| world(s, 20000, swing)).collect();
        let avg = |p: &PairsParams| { let r: Vec<_> = ws.iter().map(|w| run(w, p, c)).collect(); (r.iter().map(|x| x.0).sum::<f64>() / r.len() as f64, r.iter().map(|x| x.1).sum::<f64>() / r.len() as f64) };
        if mode == "windows" {
            let mut best = (f64::MAX, 0.0, 0.0, 0.0, f64::INFINITY);
            for start in [0.0, 5.0, 10.0, 20.0, 40.0, 80.0] { for g in [0.5, 1.0, 2.0, 4.0, 8.0, 16.0] { for most in [None, Some(300.0)] {
                let s = start * f64::sqrt(c);
                let p = PairsParams { windows: vec![WindowParams { start: s, per_second: g * c, most, ..WindowParams::of("rating") }], ..Default::default() };
                let (m, q) = avg(&p);
                if m < best.0 { best = (m, q, start, g, most.unwrap_or(0.0)); }
            } } }
            println!("c={c} swing={swing} best windows {best:?}");
        } else {
            let t = std::time::Instant::now();
            for start in [PriceStart::Density { mean: 1500.0, deviation: 300.0, per_second: 1.0 }, PriceStart::Learn] {
                for (a, g, learn, band) in [(0.85, 0.3, None, 25.0), (0.85, 0.3, Some(0.02), 25.0), (0.85, 0.3, Some(0.05), 25.0), (0.85, 0.2, Some(0.02), 25.0), (1.0, 0.2, Some(0.02), 25.0), (1.0, 0.1, Some(0.02), 25.0)] {
                    if learn.is_none() && start == PriceStart::Learn { continue }
                    let p = PairsParams { prices: Some(PricesParams { share: a, waiting_share: g, learn, band, start: start.clone(), ..PricesParams::of("rating", 1.0, c) }), ..Default::default() };
                    let (m, q) = avg(&p);
                    println!("c={c} swing={swing} {:?} a={a} g={g} learn={learn:?} cost {m:.2} p99 {q:.0}", matches!(start, PriceStart::Learn));
                }
            }
            println!("{:?}", t.elapsed());
        }
    }
}
