//! On which scale ratings are: what the manifest beside a file of them says, held against the policies that use them.

use serde_json::Value;

use crate::common::{answer, complaint, example, heard};

/// The ratings of the examples' matches under a system, in `NAME.csv` of a folder.
fn rated(folder: &tempfile::TempDir, system: &str, more: &[&str]) -> String {
    let file = folder.path().join(format!("{system}.csv"));
    let file = file.to_str().unwrap();
    let matches = example("teams.jsonl");
    let matches = if ["bradley-terry"].contains(&system) {
        example("matches.csv")
    } else {
        matches
    };
    answer(
        &[&["rate", "--system", system, &matches, "--out", file], more].concat(),
        "",
    );
    file.to_owned()
}

fn lobby<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let quick = ["--iterations", "500", "--gap", "1"];
    [&["lobby", file], &quick[..], more].concat()
}

/// A file in a folder.
fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// By hand: a logistic curve's own scale; of a normal curve with sqrt(2) beta the slope at 0, ln 10 sqrt(2) beta
/// sqrt(2 pi) / 4; Weng and Lin's and Elo-MMR's are logistic in sqrt(2) beta, and sqrt(2) beta sqrt(3) / pi.
#[test]
fn the_manifest_beside_ratings_names_their_system_and_their_points_for_odds_of_ten_to_one() {
    let folder = tempfile::tempdir().unwrap();
    let scales: [(&str, f64, bool); 10] = [
        ("elo", 400.0, true),
        ("glicko", 400.0, true),
        ("glicko2", 400.0, true),
        ("bradley-terry", 400.0, true),
        ("dota", 408.1, true),
        ("elo-mmr", 351.9, true),
        ("dom", 1600.0, false),
        ("trueskill", 8.503, false),
        ("through-time", 8.503, false),
        ("weng-lin", 13.57, false),
    ];
    for (system, points, is_even) in scales {
        let file = rated(&folder, system, &[]);
        let manifest = std::fs::read_to_string(format!("{file}.manifest.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        let configuration = &manifest["configuration"];
        assert_eq!(configuration["system"], system);
        let found = configuration["points_for_ten_to_one"].as_f64().unwrap();
        assert!((found / points - 1.0).abs() < 3e-4, "{system}: {found}");
        // The default policy is for 400; what is off by more than a factor of 2 is refused with the option that helps.
        if is_even {
            let told = answer(&lobby(&file, &["--json"]), "");
            assert!(told.contains(&format!("\"rated_by\": \"{system}\"")), "{system}");
            continue;
        }
        let said = complaint(&lobby(&file, &[]), "", 1);
        let option = format!("--rating-scale {points}");
        for part in [system, "manifest.json", "the policy `even` is for 400", &option] {
            assert!(said.contains(part), "{part} in {said}");
        }
        let words: Vec<&str> = option.split(' ').collect();
        let said = heard(&lobby(&file, &words), "");
        assert!(said.contains("ratings were multiplied by"), "{said}");
    }
    // A curve of one's own has a scale of its own.
    let config = "[elo.params.curve.logistic]\nscale = 20\n";
    let config = written(&folder, "elo.toml", config);
    let file = rated(&folder, "elo", &["--config", &config]);
    assert!(complaint(&lobby(&file, &[]), "", 1).contains("--rating-scale 20"));
}

/// TrueSkill's figures times 400 / 8.503 are those of a policy for 400 points, and the ratings as they are those of one
/// for 8.503.
#[test]
fn ratings_that_are_brought_to_the_policy_are_judged_as_by_a_policy_of_their_scale() {
    let folder = tempfile::tempdir().unwrap();
    let file = rated(&folder, "trueskill", &[]);
    let win = |scale: &str| format!("[scoring.factors.win_probability]\nscale = {scale}\n");
    let (elo, own) = (
        written(&folder, "elo.toml", &win("400")),
        written(&folder, "own.toml", &win("8.503")),
    );
    let quality = |arguments: &[&str]| {
        let told: Value = serde_json::from_str(&answer(&lobby(&file, arguments), "")).unwrap();
        told["mean_quality"].as_f64().unwrap()
    };
    let brought = quality(&["--policy", &elo, "--rating-scale", "8.503", "--json"]);
    let as_they_are = quality(&["--policy", &own, "--json"]);
    assert!((brought - as_they_are).abs() < 1e-3, "{brought} {as_they_are}");
    assert!(brought < 0.99, "{brought}");
    // A policy may say its scale at its top as well.
    let ramp = "points_for_ten_to_one = 8.5\n[scoring.factors.player_skill]\ndifference = { shape = 'ramp', best = 0, worst = 10 }\n";
    let said = written(&folder, "said.toml", ramp);
    answer(&lobby(&file, &["--policy", &said]), "");
    let glicko = rated(&folder, "glicko2", &[]);
    assert!(complaint(&lobby(&glicko, &["--policy", &said]), "", 1).contains("is for 8.5"));
    let unsaid = written(&folder, "unsaid.toml", ramp.split_once('\n').unwrap().1);
    answer(&lobby(&file, &["--policy", &unsaid]), "");
    let told = complaint(&lobby(&glicko, &["--policy", &unsaid]), "", 1);
    assert!(told.contains("`points_for_ten_to_one = 400`"), "{told}");
}

#[test]
fn a_manifest_counts_only_for_the_very_file_that_it_was_written_for() {
    let folder = tempfile::tempdir().unwrap();
    let edit = |file: &str| {
        let text = std::fs::read_to_string(file).unwrap();
        std::fs::write(
            file,
            text.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n",
        )
        .unwrap();
    };
    let file = rated(&folder, "glicko2", &[]);
    assert!(!heard(&lobby(&file, &[]), "").contains("does not fit"));
    edit(&file);
    let said = heard(&lobby(&file, &[]), "");
    assert!(
        said.contains("glicko2.csv.manifest.json does not fit the file"),
        "{said}"
    );
    let told = answer(&lobby(&file, &["--json"]), "");
    assert!(!told.contains("rated_by"), "{told}");
    // Then the spread tells.
    let file = rated(&folder, "trueskill", &[]);
    edit(&file);
    let said = complaint(&lobby(&file, &[]), "", 1);
    assert!(
        said.contains("--rating-scale 400 says that these are meant so"),
        "{said}"
    );
    answer(&lobby(&file, &["--rating-scale", "400"]), "");
    // Of a folder, its manifest tells.
    let page = folder.path().join("page");
    let page = page.to_str().unwrap();
    answer(
        &["rate", "--system", "dom", &example("teams.jsonl"), "--page", page],
        "",
    );
    let said = complaint(&lobby(&format!("{page}/ratings.csv"), &[]), "", 1);
    assert!(
        said.contains("those of dom") && said.contains("--rating-scale 1600"),
        "{said}"
    );
}

#[test]
fn without_a_manifest_ratings_far_below_the_policys_scale_are_refused_and_honest_pools_are_not() {
    let folder = tempfile::tempdir().unwrap();
    for system in ["trueskill", "weng-lin", "through-time"] {
        let text = std::fs::read_to_string(rated(&folder, system, &[])).unwrap();
        let said = complaint(&lobby("-", &[]), text.as_str(), 1);
        for part in ["standard deviation", "--rating-scale 8.503", "--rating-scale 400"] {
            assert!(said.contains(part), "{part} in {said}");
        }
        // Those who queue through `replay`, too.
        let lines: Vec<String> = text
            .lines()
            .skip(1)
            .enumerate()
            .map(|(place, line)| {
                let skill = line.split(',').nth(1).unwrap();
                format!("{},{skill}", 1_700_000_000 + 5 * place)
            })
            .collect();
        let log = format!("time,skill\n{}\n", lines.join("\n"));
        let said = complaint(&["replay", "-", "--policy", "widening"], log.as_str(), 1);
        assert!(
            said.contains("the policy `widening` is for ratings of 400"),
            "{said}"
        );
        let brought = ["replay", "-", "--policy", "widening", "--rating-scale", "8.503"];
        assert!(heard(&brought, &log).contains("ratings were multiplied by 47.04"));
    }
    let players = |skills: &[f64]| {
        let row = |(place, skill): (usize, &f64)| format!("p{place},{skill}\n");
        let rows: String = skills.iter().enumerate().map(row).collect();
        format!("id,skill\n{rows}")
    };
    let honest: [&[f64]; 8] = [
        // Equals, near-equals of a division, newcomers after a game, around 0, few.
        &[0.0; 6],
        &[1500.0; 6],
        &[1498.0, 1501.0, 1500.5, 1503.0, 1499.0, 1500.0],
        &[1500.0, 1510.0, 1490.0, 1500.0, 1510.0, 1490.0],
        &[-210.0, 15.0, 130.0, -40.0, 90.0, 20.0],
        &[1500.0, 1505.0],
        &[-8.0, 8.0],
        &[0.0, 16.0, 16.0],
    ];
    for skills in honest {
        let teams = if skills.len() < 6 { "1v1" } else { "3v3" };
        answer(&lobby("-", &["--teams", teams]), players(skills));
    }
    // A policy whose widths are small is for ratings of such a scale.
    let league = "name = 'points of a league'\n[queue]\n[[queue.windows]]\nof = 'skill'\nstart = 10\nmost = 60\n[objective]\nof = 'skill'";
    let league = written(&folder, "league.toml", league);
    let row = |k: u64| format!("{},{}\n", 1_700_000_000 + 7 * k, (37 * k) % 100);
    let rows: Vec<String> = (0..40).map(row).collect();
    let log = format!("time,skill\n{}", rows.concat());
    answer(&["replay", "-", "--policy", &league], log.as_str());
    complaint(&["replay", "-", "--policy", "widening"], log.as_str(), 1);
}

#[test]
fn two_policies_of_different_scales_are_not_compared_on_one_log() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(example("policies/widening.toml")).unwrap();
    let other = format!("points_for_ten_to_one = 5000\n{text}").replace("\"widening\"", "\"other\"");
    let other = written(&folder, "other.toml", &other);
    let log = example("queue/tickets.csv");
    let both = ["replay", &log, "--policy", "widening", "--against", &other];
    let said = complaint(&[&both[..], &["--rating-scale", "400"]].concat(), "", 2);
    assert!(said.contains("the policy `other` is not"), "{said}");
    // An option for nothing.
    let churn = example("policies/dominations.toml");
    let said = complaint(
        &["replay", &log, "--policy", &churn, "--rating-scale", "400"],
        "",
        1,
    );
    assert!(said.contains("no ticket has the number `offence`"), "{said}");
    for wrong in ["0", "-1", "nan", "x"] {
        complaint(
            &["replay", &log, "--policy", "widening", "--rating-scale", wrong],
            "",
            2,
        );
    }
    let zero = written(
        &folder,
        "zero.toml",
        &format!("points_for_ten_to_one = 0\n{text}"),
    );
    let said = complaint(&["replay", &log, "--policy", &zero], "", 1);
    assert!(said.contains("give a finite number above 0"), "{said}");
}

const WORLD: &str = "name = \"tiny\"\npolicies = [\"widening\", \"prices\"]\nworlds = 2\nhours = 2\n\
    [arrivals]\nper_second = 0.03\n[people]\nplayers = 200\n[patience]\nexponential = 200\n";

#[test]
fn a_world_whose_system_rates_on_another_scale_than_its_policies_is_refused_until_it_brings_them_there() {
    let folder = tempfile::tempdir().unwrap();
    let world = |rating: &str| written(&folder, "world.toml", &format!("{WORLD}{rating}"));
    let compare = |world: &str| -> Value {
        serde_json::from_str(&answer(&["simulate", "compare", world, "--json"], "")).unwrap()
    };
    for system in ["trueskill", "weng-lin", "dom"] {
        let said = complaint(
            &[
                "simulate",
                "compare",
                &world(&format!("[rating]\nsystem = \"{system}\"\n")),
            ],
            "",
            1,
        );
        for part in [
            "world.toml:",
            "`widening` is for ratings of 400",
            system,
            "`points_for_ten_to_one = 400` in [rating]",
        ] {
            assert!(said.contains(part), "{part} in {said}");
        }
    }
    let brought = "[rating]\nsystem = \"trueskill\"\npoints_for_ten_to_one = 400\n";
    let brought = compare(&world(brought));
    let figure = |told: &Value, key: &str| {
        let all = told["figures"].as_array().unwrap();
        let one = all.iter().find(|one| one["figure"] == key).unwrap();
        one["means"][0]["mean"].as_f64().unwrap()
    };
    // Points of Elo's, not of TrueSkill's; its error in points of true skill.
    assert!(
        figure(&brought, "mismatch") > 5.0,
        "{}",
        figure(&brought, "mismatch")
    );
    let error = figure(&brought, "rating_error");
    assert!((100.0..350.0).contains(&error), "{error}");
    assert!(brought["rating_is"].is_null());
    compare(&world("[rating]\nsystem = \"glicko2\"\n"));
    // Without a system the rating is the true skill, on the scale of the game, and that is said.
    let plain = compare(&world(""));
    let said = plain["rating_is"].as_str().unwrap();
    assert!(said.contains("a rating is the true skill"), "{said}");
    let text = answer(&["simulate", "compare", &world("")], "");
    assert!(text.contains("a rating is the true skill"), "{text}");
    let said = complaint(
        &[
            "simulate",
            "compare",
            &world("[play]\npoints_for_ten_to_one = 8.5\n"),
        ],
        "",
        1,
    );
    assert!(said.contains("(true skills) have 8.5"), "{said}");
    let small = WORLD.replace(
        "players = 200",
        "players = 200\nskill_mean = 25\nskill_deviation = 8",
    );
    let small = written(&folder, "small.toml", &small);
    let said = complaint(&["simulate", "compare", &small], "", 1);
    assert!(said.contains("standard deviation of 8.0 around 25.0"), "{said}");
}

/// The forecast of a world whose ratings are true skills is the true chance, whatever the points.
#[test]
fn forecasts_of_a_world_are_on_the_scale_of_its_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let world = format!(
        "{}[play]\npoints_for_ten_to_one = 1000\n[rating]\npoints_for_ten_to_one = 400\n",
        WORLD.replace("players = 200", "players = 200\nskill_deviation = 700")
    );
    let world = written(&folder, "world.toml", &world);
    let told: Value = serde_json::from_str(&answer(&["simulate", "run", &world, "--json"], "")).unwrap();
    let bins = told["each"][0]["policies"][0]["forecast"]["bins"]
        .as_array()
        .unwrap();
    assert!(!bins.is_empty());
    for bin in bins {
        let of = |key: &str| bin[key].as_f64().unwrap();
        assert!((of("predicted") - of("true_chance")).abs() < 1e-9, "{bin}");
    }
}

/// A scenario and a policy of different scales are told so; what does not look at skill has none.
#[test]
fn every_carried_policy_runs_in_every_carried_scenario_but_those_for_skill_of_another_scale() {
    let folder = tempfile::tempdir().unwrap();
    let names = |of: &str| -> Vec<String> {
        let files = std::fs::read_dir(example(of)).unwrap();
        let stem = |path: std::path::PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
        files.map(|file| stem(file.unwrap().path())).collect()
    };
    let mut ran = 0;
    for scenario in names("scenarios") {
        let text = std::fs::read_to_string(example(&format!("scenarios/{scenario}.toml"))).unwrap();
        let short = |line: &str| match line.split_once(" = ") {
            Some(("hours", _)) => format!("hours = {}", if scenario == "dominations" { 6.0 } else { 0.1 }),
            Some(("warm_up_hours", _)) => "warm_up_hours = 0".to_owned(),
            _ => line.to_owned(),
        };
        let world: Vec<String> = text.lines().map(short).collect();
        let world = written(&folder, "short.toml", &world.join("\n"));
        let first = text
            .split_once("policies = [\"")
            .unwrap()
            .1
            .split('"')
            .next()
            .unwrap();
        for policy in names("policies") {
            let mut run = crate::common::matchwright();
            let run = run.args(["simulate", "compare", &world, "--worlds", "1", "--policy", first]);
            let run = run.args(["--policy", &policy]).output().unwrap();
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            ran += usize::from(run.status.success());
            let of_skill = !["random", "dominations"]
                .iter()
                .any(|name| policy.starts_with(name));
            let scale = |name: &str| {
                if name.starts_with("awesomenauts") {
                    5000
                } else {
                    400
                }
            };
            let of_world = if scenario == "dominations" {
                850
            } else {
                scale(&scenario)
            };
            let is_off = of_skill && scale(&policy) != of_world;
            assert!(
                is_off || !said.contains("odds of ten to one"),
                "{scenario} {policy}: {said}"
            );
        }
    }
    // The others lack what some policy needs.
    assert!(ran > 20, "{ran}");
}

/// TrueSkill's ratings beside a policy for them: another that looks at no skill, and one that alone would judge otherwise.
#[test]
fn costs_have_a_scale_only_where_they_judge() {
    let folder = tempfile::tempdir().unwrap();
    let row = |k: u32| {
        format!(
            "{},{}\n",
            1_700_000_000 + 7 * k,
            25.0 + 4.0 * (f64::from(k % 7) - 3.0) / 2.0
        )
    };
    let log: String = (0..40).map(|k| row(k + 3)).collect();
    let log = written(&folder, "ts.csv", &format!("time,skill\n{log}"));
    let own = "points_for_ten_to_one = 8.5\n[queue]\n[[queue.windows]]\nof = 'skill'\nstart = 1\nper_second = 0.02\n[objective]\nof = 'skill'\n";
    let own = written(&folder, "own.toml", own);
    for more in [
        &["--against", "random-batch"][..],
        &["--against", "random-batch", "--rating-scale", "8.5"],
    ] {
        answer(&[&["replay", &log, "--policy", &own][..], more].concat(), "");
    }
    let judged = ["replay", &log, "--policy", "random-batch", "--objective", &own];
    answer(&judged, "");
    answer(&[&judged[..], &["--rating-scale", "8.5"]].concat(), "");
    // Alone it judges by costs in Elo's points.
    let said = complaint(&["replay", &log, "--policy", "random-batch"], "", 1);
    assert!(
        said.contains("[objective] of the policy `random-batch` is for ratings of 400"),
        "{said}"
    );
    complaint(
        &["replay", &log, "--policy", &own, "--against", "widening"],
        "",
        1,
    );
}

#[test]
fn a_manifest_counts_by_the_hash_of_its_file_and_what_is_none_is_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let file = rated(&folder, "dom", &[]);
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let moved = at("s.csv");
    std::fs::copy(&file, &moved).unwrap();
    std::fs::copy(format!("{file}.manifest.json"), format!("{moved}.manifest.json")).unwrap();
    let said = complaint(&lobby(&moved, &[]), "", 1);
    assert!(said.contains("those of dom"), "{said}");
    // Of a web app, broken, or of other files.
    std::fs::remove_file(format!("{moved}.manifest.json")).unwrap();
    let others = std::fs::read_to_string(format!("{}.manifest.json", rated(&folder, "elo", &[]))).unwrap();
    for foreign in ["{\"name\": \"web app\", \"icons\": []}", "{", "[1]", &others] {
        written(&folder, "manifest.json", foreign);
        let said = heard(&lobby(&moved, &[]), "");
        assert!(!said.contains("manifest"), "{said}");
    }
    let manifest = std::fs::read_to_string(format!("{file}.manifest.json")).unwrap();
    written(&folder, "manifest.json", &manifest);
    assert!(complaint(&lobby(&moved, &[]), "", 1).contains("those of dom"));
    written(&folder, "manifest.json", "{");
    for broken in ["{", "{\"name\": \"web app\"}", ""] {
        written(&folder, "s.csv.manifest.json", broken);
        let said = heard(&lobby(&moved, &[]), "");
        assert!(
            said.contains("s.csv.manifest.json cannot be read as a manifest"),
            "{said}"
        );
        assert!(!said.contains("edited"), "{said}");
    }
}

#[test]
fn an_option_against_the_manifest_is_refused_by_both_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = rated(&folder, "trueskill", &[]);
    for wrong in ["8503", "400", "4"] {
        let said = complaint(&lobby(&file, &["--rating-scale", wrong]), "", 2);
        for part in ["--rating-scale", wrong, "trueskill.csv.manifest.json says 8.503"] {
            assert!(said.contains(part), "{part} in {said}");
        }
    }
    answer(&lobby(&file, &["--rating-scale", "8.5"]), "");
}

/// By their spread alone, under the names that a policy looks at.
#[test]
fn ratings_of_any_name_are_held_against_the_scale_of_who_looks_at_them() {
    let folder = tempfile::tempdir().unwrap();
    let log = |name: &str, mean: f64, deviation: f64| {
        let row = |k: u32| {
            format!(
                "{},{}\n",
                1_700_000_000 + 7 * k,
                mean + deviation * (f64::from(k % 5) - 2.0) / 2.0_f64.sqrt()
            )
        };
        let rows: String = (0..40).map(row).collect();
        format!("time,{name}\n{rows}")
    };
    let text = std::fs::read_to_string(example("policies/widening.toml")).unwrap();
    let policy = |name: &str, head: &str| {
        written(
            &folder,
            "policy.toml",
            &format!("{head}{}", text.replace("\"skill\"", &format!("\"{name}\""))),
        )
    };
    let replay = |name: &str, head: &str, mean: f64, deviation: f64, code: i32| {
        let policy = policy(name, head);
        complaint(
            &["replay", "-", "--policy", &policy],
            log(name, mean, deviation),
            code,
        )
    };
    let (said, elo) = ("points_for_ten_to_one = 8.5\n", "points_for_ten_to_one = 400\n");
    for name in ["skill", "mmr", "elo"] {
        let told = replay(name, "", 25.0, 4.0, 1);
        assert!(
            told.contains("standard deviation of 4") && told.contains("--rating-scale 8.503"),
            "{told}"
        );
    }
    // One of its own is a rating where the scale is said; its deviation is brought along.
    assert!(replay("strength", elo, 25.0, 4.0, 1).contains("--rating-scale 8.503"));
    assert!(!replay("level", "", 25.0, 4.0, 0).contains("standard deviation"));
    let mmr = policy("mmr", "");
    let brought = ["replay", "-", "--policy", &mmr, "--rating-scale", "8.5"];
    assert!(heard(&brought, &log("mmr", 25.0, 4.0)).contains("multiplied by 47.06"));
    // Far above it.
    let told = replay("skill", said, 1500.0, 250.0, 1);
    for part in [
        "standard deviation of 25",
        "around 1500",
        "is for ratings of 8.5",
        "--rating-scale 400",
        "--rating-scale 8.5 says",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    replay("skill", said, 25.0, 8.0, 0);
    replay("skill", elo, 1500.0, 600.0, 0);
    // Narrow and far from 0: told, since equals are so, too.
    for (mean, deviation) in [(2500.0, 12.0), (1025.0, 4.6)] {
        let told = replay("skill", "", mean, deviation, 0);
        assert_eq!(
            told.matches("by which they are all nearly alike").count(),
            1,
            "{told}"
        );
    }
    let told = replay("skill", "", 1500.0, 250.0, 0);
    assert!(!told.contains("alike"), "{told}");
}

#[test]
fn three_ratings_are_told_by_their_size() {
    let players = |skills: &[f64]| {
        let row = |(place, skill): (usize, &f64)| format!("p{place},{skill}\n");
        format!(
            "id,skill\n{}",
            skills.iter().enumerate().map(row).collect::<String>()
        )
    };
    for skills in [&[25.0, 27.0, 22.0][..], &[20.0, 25.0], &[31.0, 18.0, 44.0]] {
        let said = heard(&lobby("-", &["--teams", "1v1"]), &players(skills));
        assert!(
            said.contains("nearly alike: if theirs is another scale, --rating-scale"),
            "{said}"
        );
    }
    for skills in [
        &[1500.0, 1516.0, 1484.0][..],
        &[0.0, 16.0, -16.0],
        &[25.0, 400.0],
        &[100.0, 110.0, 90.0],
    ] {
        let said = heard(&lobby("-", &["--teams", "1v1"]), &players(skills));
        assert!(!said.contains("--rating-scale"), "{said}");
    }
}
