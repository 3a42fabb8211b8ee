//! The pictures of `docs/exact-pairing.md`, drawn from real solves that an observer watches.
//!
//! Points in the plane, costs their distances. The dual of a vertex is a disc around it, the dual of a blossom a moat
//! around its vertices (Jünger and Pulleyblank, "New primal and dual matching heuristics", Algorithmica 13, 1995), so
//! that feasible, tight and violated can be seen: apart, touching, overlapping.
//!
//! [`points`]: whom is paired; [`look`]: what the observer keeps; [`draw`] and [`legend`]: how it becomes SVG;
//! [`figures`]: which pictures there are.
#![allow(clippy::print_stdout, reason = "a command-line program talks to its user")]

mod draw;
mod figures;
mod legend;
mod look;
mod points;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Draws all pictures into `docs/pictures`.
fn main() -> Result<()> {
    let folder = folder();
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    for (name, svg) in figures::draw_all()? {
        let path = folder.join(name);
        std::fs::write(&path, svg).with_context(|| format!("writing {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures")
}

#[cfg(test)]
mod tests {
    use super::look::watch;
    use super::points::Points;
    use matchwright_solver::Stage;

    #[test]
    fn the_pictures_in_docs_are_what_the_code_draws() {
        for (name, svg) in super::figures::draw_all().unwrap() {
            let committed = std::fs::read_to_string(super::folder().join(&name)).unwrap_or_default();
            assert!(
                committed.replace("\r\n", "\n") == svg,
                "docs/pictures/{name} differs from what the code draws; run `cargo xtask pictures`, look at it, and see \
                 whether docs/exact-pairing.md still says what it shows"
            );
        }
    }

    #[test]
    fn the_chapter_shows_every_picture_and_no_other() {
        let chapter = std::fs::read_to_string(super::folder().join("../exact-pairing.md")).unwrap();
        let mut shown: Vec<&str> = chapter
            .split("](pictures/")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
            .collect();
        shown.sort_unstable();
        let mut drawn: Vec<String> = super::figures::draw_all()
            .unwrap()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        drawn.sort_unstable();
        assert_eq!(shown, drawn);
        let files = std::fs::read_dir(super::folder()).unwrap();
        assert_eq!(files.count(), drawn.len());
    }

    #[test]
    fn discs_and_moats_of_the_last_look_are_a_proof() {
        for (points, as_matrix) in [(Points::few(), false), (Points::many(), true)] {
            let looks = watch(&points, as_matrix).unwrap();
            let last = looks.last().unwrap();
            assert_eq!(last.stage, Stage::Priced);
            let count = points.count();
            for i in 0..count {
                for j in i + 1..count {
                    assert!(last.slack(&points, i, j) > -1e-9, "{i} {j}");
                }
            }
            let cost: f64 = last.pairs.iter().map(|&(i, j)| points.distance(i, j)).sum();
            assert!((cost - last.radii_sum() - last.moats_sum()).abs() < 1e-6);
            let tight = last.tight(&points);
            assert!(last.pairs.iter().all(|pair| tight.contains(pair)));
        }
    }

    /// Of the blossom stage the bound goes up with each look, by what the tree's clock says.
    #[test]
    fn the_bound_rises_from_tree_to_tree_of_the_picture() {
        let looks = watch(&Points::few(), false).unwrap();
        let bounds: Vec<f64> = looks
            .iter()
            .map(|look| look.radii_sum() + look.moats_sum())
            .collect();
        assert!(bounds.is_sorted(), "{bounds:?}");
    }
}
