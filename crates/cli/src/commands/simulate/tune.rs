//! `matchwright simulate tune`: the values of a policy's keys that keep all bounds and are best, on worlds and then on
//! other worlds.

mod answer;
mod vary;

use std::sync::atomic::{AtomicU64, Ordering};

use itertools::Itertools;
use matchwright_sim::policy::PolicyDocument;
use matchwright_sim::progress::Progress;
use matchwright_sim::simulate::{Averaged, Figure, Target, average, compare, may_be_best};

use super::scene::Scene;
use super::{failed, folder, written};
use crate::arguments::{TuneOptions, Varied};
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::progress::Bar;
use crate::threads::threads;
use answer::{Tried, TuneAnswer};
use vary::Template;

/// More combinations than these are refused.
const MOST: usize = 1000;
/// How often the steps between the values of ranges are halved around the best.
const HALVINGS: u32 = 3;

pub(super) fn run(options: &TuneOptions, command: String) -> Result<(), Failure> {
    let page = &options.scene.page;
    let scene = Scene::read(
        &options.scene,
        options.policy.as_slice(),
        folder(page.out.as_deref()),
    )?;
    let template = Template::new(&scene.imported.queues[0].source, &options.vary)?;
    let threads = threads(options.threads.threads, u32::MAX)?;
    let tried: f64 = options
        .vary
        .iter()
        .map(|varied| varied.values.len() as f64)
        .product();
    // Today's policy, and it and the best again on other worlds.
    scene.check_plan((tried + 3.0) * f64::from(options.worlds), 1.0, threads)?;
    let bar = Bar::new();
    let before = scene.documents(1).remove(0);
    let count = u64::from(options.worlds);
    let today = scene
        .worlds(std::slice::from_ref(&before))
        .run(0..count, threads, &bar)
        .map_err(failed)?;
    let lost_today = average(&today, 0, Figure::Lost).value();
    let targets = Target::with_lost_kept(&options.keep, lost_today).map_err(Failure::of)?;
    let search = Search {
        targets: &targets,
        options,
        scene: &scene,
        template: &template,
        threads,
        bar: &bar,
    };
    let mut tried = search.run()?;
    screen(&mut tried, options);
    let best = best(&tried, options).cloned();
    let held_out = match &best {
        Some(best) => {
            bar.begin("checking on other worlds", 0);
            let policies = [before, template.with(&best.values)?];
            let worlds = scene.worlds(&policies).run(count..2 * count, threads, &bar);
            compare(&worlds.map_err(failed)?)
        }
        None => Vec::new(),
    };
    drop(bar);
    let answer = TuneAnswer {
        facts: scene.facts(1, options.worlds),
        keys: options.vary.iter().map(|varied| varied.key.clone()).collect(),
        lost_today,
        keep: targets,
        best_is: options.best,
        policy: best
            .as_ref()
            .map(|best| template.text(&best.values, &command))
            .transpose()?,
        tried,
        best,
        held_out,
    };
    let origin = scene.origin(command, options.worlds)?;
    if let Some(folder) = &page.out {
        let page = answer.page().footer(origin.footer());
        match &answer.policy {
            Some(text) => {
                let mut files = super::files(("tuning.json", &answer), &page)?;
                files.add("tuned.toml", text.as_str());
                files.write(folder, &origin)?;
            }
            None => written(folder, ("tuning.json", &answer), &page, &origin)?,
        }
    }
    if page.json {
        return print_json(&answer);
    }
    print(&answer.text(page.out.as_deref()))
}

struct Search<'a> {
    options: &'a TuneOptions,
    /// What must be kept.
    targets: &'a [Target],
    scene: &'a Scene,
    template: &'a Template,
    threads: usize,
    bar: &'a Bar,
}

impl Search<'_> {
    /// All combinations, then the neighbours of the best at half the step, thrice.
    fn run(&self) -> Result<Vec<Tried>, Failure> {
        let vary = &self.options.vary;
        let many = vary
            .iter()
            .map(|varied| varied.values.len())
            .try_fold(1, usize::checked_mul);
        if many.is_none_or(|many| many > MOST) {
            return Err(Failure::Usage(format!(
                "--vary: more than {MOST} combinations of values; give fewer keys or values"
            )));
        }
        let all = vary
            .iter()
            .map(|varied| varied.values.clone())
            .multi_cartesian_product();
        let mut tried = self.tried(all.collect())?;
        let mut steps: Vec<f64> = vary.iter().map(Varied::step).collect();
        for _ in 0..HALVINGS {
            let Some(best) = best(&tried, self.options).map(|best| best.values.clone()) else {
                break;
            };
            for step in &mut steps {
                *step /= 2.0;
            }
            let near = best.iter().zip(vary).zip(&steps);
            let near = near.map(|((&value, varied), &step)| varied.near(value, step));
            let mut new: Vec<Vec<f64>> = near.multi_cartesian_product().collect();
            new.retain(|values| tried.iter().all(|one| one.values != *values));
            tried.extend(self.tried(new)?);
        }
        Ok(tried)
    }

    /// What these values come to on the worlds.
    fn tried(&self, all: Vec<Vec<f64>>) -> Result<Vec<Tried>, Failure> {
        let documents = all.iter().map(|values| self.template.with(values));
        let documents = documents.collect::<Result<Vec<PolicyDocument>, Failure>>()?;
        let done = AtomicU64::new(0);
        let steps = documents.len() as u64 * u64::from(self.options.worlds);
        self.bar.begin("trying values", steps);
        let seen = |_: usize, _: &_| {
            done.fetch_add(1, Ordering::Relaxed);
            self.bar.advance(1);
        };
        let quiet = matchwright_sim::progress::Quiet;
        let worlds = self.scene.worlds(&documents);
        let worlds = worlds.run_seen(0..self.options.worlds.into(), self.threads, &quiet, &seen);
        let worlds = worlds.map_err(failed)?;
        let one = |(policy, values): (usize, Vec<f64>)| {
            let found = self.targets.iter();
            let found: Vec<Averaged> = found
                .map(|target| average(&worlds, policy, target.figure))
                .collect();
            let mut bounds = self.targets.iter().zip(&found);
            Tried {
                keeps: bounds.all(|(target, found)| target.is_kept_by(found)),
                best: average(&worlds, policy, self.options.best).value(),
                found: found.iter().map(Averaged::value).collect(),
                open: found.into_iter().map(|one| one.open).collect(),
                each: worlds
                    .iter()
                    .map(|world| self.options.best.of(&world.policies[policy]).unwrap_or(f64::NAN))
                    .collect(),
                may_be_best: false,
                values,
            }
        };
        Ok(all.into_iter().enumerate().map(one).collect())
    }
}

/// Marks those that keep all bounds and that the worlds do not tell from the best.
fn screen(tried: &mut [Tried], options: &TuneOptions) {
    let sign = -f64::from(options.best.better());
    let mut kept: Vec<&mut Tried> = tried
        .iter_mut()
        .filter(|one| one.keeps && one.best.is_some())
        .collect();
    let values: Vec<Vec<f64>> = kept
        .iter()
        .map(|one| one.each.iter().map(|value| sign * value).collect())
        .collect();
    for (one, may_be_best) in kept.iter_mut().zip(may_be_best(&values)) {
        one.may_be_best = may_be_best;
    }
}

/// The best of those that keep all bounds; of equals the first.
fn best<'a>(tried: &'a [Tried], options: &TuneOptions) -> Option<&'a Tried> {
    let sign = -f64::from(options.best.better());
    let known = tried.iter().filter(|one| one.keeps);
    let known = known.filter_map(|one| Some((sign * one.best?, one)));
    known.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, one)| one)
}
