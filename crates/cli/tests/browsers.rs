//! Pages and pictures as browsers parse them: with hostile names they have the elements, attributes, addresses and scripts
//! that they have with harmless ones, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use scraper::{Html, Node};
use serde_json::json;

use crate::common::{lines, matchwright};

/// Names that would leave the place where they stand: text, attributes, scripts, styles, comments, addresses, SVG.
const HOSTILE: [&str; 26] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg/onload=alert(1)>",
    "' onmouseover='alert(1)",
    "\" onfocus=\"alert(1)\" autofocus=\"",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</textarea></noscript><img src=x>",
    "--><script>alert(1)</script><!--",
    "]]><script>alert(1)</script>",
    "<![CDATA[<b>]]>",
    "<?xml version=\"1.1\"?><!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>&e;",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x&#62;&quot;&apos;&amp;amp;",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "${alert(1)}`{{7*7}}`",
    "\\u003cscript\\u003e\\\"",
    "a\u{202e}gpj.exe\u{2028}\u{2029}\u{85}",
    "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m",
    "=HYPERLINK(\"http://a\",\"b\")",
    "../../../etc/passwd\u{0}.svg",
    "x\ny\r\nz\t<b>",
    "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\">",
    "<a href=x onclick=alert(1)>\u{fffd}\u{feff}\u{fffe}",
];

/// What stands in single places: the name of a policy, a scenario, a column.
fn all() -> String {
    HOSTILE.concat()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn toml_of(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Files whose players, regions, columns, policies, scenarios and claims have these names.
fn world(folder: &Path, name: impl Fn(usize) -> String, single: &str) {
    let player = |n: usize| name(n % HOSTILE.len());
    let game = |n: usize| {
        let (one, two) = (quoted(&player(n)), quoted(&player(n + 1)));
        let (day, hour) = (1 + n / 24, n % 24);
        format!(
            "2024-01-{day:02}T{hour:02}:00:00Z,{one},{two},{},1",
            n * 7 % 3 % 2
        )
    };
    let ticket = |n: usize| {
        // A cell with two kinds of breaks is no list.
        let region = quoted(&player(n / 2).replace('\t', " "));
        format!(
            "{},2026-01-01T00:{:02}:00Z,{},{region}",
            quoted(&format!("{}{n}", player(n))),
            n % 60,
            1500 + n % 7
        )
    };
    let rated = |n: usize| json!({"id": player(n), "skill": 1500 + n, "region": single, "languages": [player(n + 1)]});
    let top = |n: usize| {
        format!(
            "Master,division 6,2669,{},{},{},40,35",
            quoted(&player(n)),
            2000 + n,
            100 + n
        )
    };
    let many = HOSTILE.len();
    let policy = |more: &str| {
        format!(
            "name = {}\nversion = {}\n[[queue.windows]]\nof = \"skill\"\nstart = 100\n\
             [objective]\nof = \"skill\"\nlost = 1000\n",
            toml_of(&format!("{more}{single}")),
            toml_of(single)
        )
    };
    let scenario = format!(
        "name = {0}\nabout = {0}\npolicies = ['p.toml', 'q.toml']\nhours = 0.3\nworlds = 2\n\
         arrivals.per_second = 0.2\n[[regions]]\nname = {0}\n[[people.groups]]\nname = {0}\nshare = 0.5\n\
         [[claims]]\nsays = {0}\nfigure = 'wait_50'\npolicy = {0}\nis = 'less'\nthan = {1}\n",
        toml_of(single),
        toml_of(&format!("q{single}"))
    );
    for (file, text) in [
        (
            "m.csv",
            format!(
                "time,player1,player2,score1,score2\n{}",
                lines((0..3 * many).map(game))
            ),
        ),
        (
            "t.csv",
            format!("ticket,time,skill,region\n{}", lines((0..3 * many).map(ticket))),
        ),
        ("l.jsonl", lines((0..many).map(rated))),
        (
            "top.csv",
            format!(
                "league,division,total,name,points,unspent,wins,losses\n{}",
                lines((0..many).map(top))
            ),
        ),
        ("p.toml", policy("")),
        ("q.toml", policy("q")),
        ("w.toml", scenario),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
}

const COMMANDS: [&str; 11] = [
    "rate --system elo m.csv --names-as-written --evaluate-from 0.5 --min-games 0 --page rated --plot rated.svg",
    "compare m.csv --systems elo,glicko2 --names-as-written --evaluate-from 0.5 --out compared",
    "study eomm --matches m.csv --names-as-written --rounds 2 --pools 4 --out studied",
    "lobby l.jsonl --names-as-written --teams 3v3 --iterations 2000 --out lobbies",
    "replay t.csv --names-as-written --policy p.toml --against q.toml --out replayed",
    "simulate run w.toml --out ran",
    "simulate compare w.toml --out simulated",
    "simulate tune w.toml --worlds 2 --vary queue.windows.0.start=50,100 --out tuned",
    "simulate size w.toml --worlds 1 --keep wait_50=900 --out sized",
    "simulate fit t.csv --names-as-written --policy p.toml --out fitted",
    "forensics top200 top.csv --out top",
];

/// What a document is made of, each once: elements with their attributes, addresses, scripts and styles.
fn parts_of_html(text: &str) -> BTreeSet<String> {
    let mut parts = BTreeSet::new();
    for node in Html::parse_document(text).tree.nodes() {
        match node.value() {
            Node::Element(element) => {
                let name = element.name();
                parts.insert(format!("<{name}>"));
                for (key, value) in element.attrs() {
                    parts.insert(format!("<{name} {key}>"));
                    if ["href", "src", "style", "action"].contains(&key) || key.starts_with("on") {
                        parts.insert(format!("<{name} {key}={value}>"));
                    }
                }
            }
            Node::Text(text) => {
                let parent = node.parent().and_then(|parent| parent.value().as_element());
                let name = parent.map_or("", |parent| parent.name());
                if ["script", "style"].contains(&name) {
                    parts.insert(format!("<{name}>{}", &**text));
                }
            }
            Node::Comment(comment) => drop(parts.insert(format!("<!--{}-->", &**comment))),
            _ => {}
        }
    }
    parts
}

fn parts_of_svg(text: &str) -> BTreeSet<String> {
    let picture = roxmltree::Document::parse(text).unwrap();
    let mut parts = BTreeSet::new();
    for node in picture.descendants().filter(roxmltree::Node::is_element) {
        let element = node.tag_name().name();
        parts.insert(format!("<{element}>"));
        for attribute in node.attributes() {
            parts.insert(format!("<{element} {}>", attribute.name()));
            if ["href", "style"].contains(&attribute.name()) {
                parts.insert(format!("<{element} {}={}>", attribute.name(), attribute.value()));
            }
        }
    }
    parts
}

/// The pages and pictures below a folder, by their places there.
fn shown(folder: &Path, below: &Path, found: &mut Vec<(String, BTreeSet<String>)>) {
    for entry in fs::read_dir(folder.join(below)).unwrap() {
        let place = below.join(entry.unwrap().file_name());
        let name = place.to_str().unwrap().to_owned();
        if folder.join(&place).is_dir() {
            shown(folder, &place, found);
            continue;
        }
        let text = || fs::read_to_string(folder.join(&place)).unwrap();
        match place.extension().and_then(|ending| ending.to_str()) {
            Some("html") => found.push((name, parts_of_html(&text()))),
            Some("svg") => found.push((name, parts_of_svg(&text()))),
            _ => {}
        }
    }
}

/// What all commands show of a world.
fn shown_of(name: impl Fn(usize) -> String, single: &str) -> Vec<(String, BTreeSet<String>)> {
    let folder = tempfile::tempdir().unwrap();
    world(folder.path(), name, single);
    for line in COMMANDS {
        let words = line.split(' ');
        let run = matchwright()
            .args(words)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{line}: {told}");
    }
    let mut found = Vec::new();
    shown(folder.path(), Path::new(""), &mut found);
    found.sort();
    found
}

#[test]
fn pages_and_pictures_of_hostile_names_are_those_of_harmless_ones() {
    let harmless = shown_of(|n| format!("player {n}"), "single");
    // Each with what no XML may hold.
    let hostile = shown_of(|n| format!("{}\u{fffe}\u{b}", HOSTILE[n]), &all());
    let names = |all: &[(String, BTreeSet<String>)]| {
        all.iter().map(|(name, _)| name.clone()).collect::<Vec<String>>()
    };
    assert_eq!(names(&hostile), names(&harmless));
    assert!(hostile.len() > 20, "{}", hostile.len());
    for ((name, hostile), (_, harmless)) in hostile.iter().zip(&harmless) {
        let foreign: Vec<&String> = hostile.difference(harmless).collect();
        assert!(foreign.is_empty(), "{name}: {foreign:?}");
    }
}
