//! Parquet's lists and times of day, and lists and words for nobody in files of players, tickets and edges.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;

use crate::common::{complaint, matchwright};

/// What a run wrote to standard output and standard error.
fn run(arguments: &[&str], input: &str) -> (bool, String, String) {
    let run = matchwright().args(arguments).write_stdin(input).assert();
    let output = run.get_output();
    let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    (output.status.success(), text[0].clone(), text[1].clone())
}

type Group<'a> = SerializedRowGroupWriter<'a, std::fs::File>;

/// A file of one row group, whose columns are written one after the other.
fn store(path: &Path, schema: &str, columns: &[&dyn Fn(&mut Group<'_>)]) {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    write(path, schema, columns);
}

fn write(path: &Path, schema: Arc<Type>, columns: &[&dyn Fn(&mut Group<'_>)]) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for column in columns {
        column(&mut group);
    }
    group.close().unwrap();
    writer.close().unwrap();
}

fn texts(group: &mut Group<'_>, values: &[&str], levels: Option<[&[i16]; 2]>) {
    let mut column = group.next_column().unwrap().unwrap();
    let values: Vec<ByteArray> = values.iter().map(|text| ByteArray::from(*text)).collect();
    let [defined, repeated] = [0, 1].map(|place| levels.map(|levels| levels[place]));
    column
        .typed::<ByteArrayType>()
        .write_batch(&values, defined, repeated)
        .unwrap();
    column.close().unwrap();
}

const LIST: &str = "optional group NAME (LIST) { repeated group list { optional binary element (UTF8); } }";

#[test]
fn lists_of_parquet_are_lists() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.parquet");
    let [one, other] = ["winner", "loser"].map(|name| LIST.replace("NAME", name));
    let schema = format!("message m {{ required binary time (UTF8); {one} {other} }}");
    // Two players, then one and a null.
    let levels: [&[i16]; 2] = [&[3, 3, 3, 2], &[0, 1, 0, 1]];
    store(
        &path,
        &schema,
        &[
            &|group| texts(group, &["2024-05-01", "2024-05-02"], None),
            &|group| texts(group, &["ann", "bob", "cyd"], Some(levels)),
            &|group| texts(group, &["cyd", "dot", "ann"], Some(levels)),
        ],
    );
    let path = path.to_str().unwrap();
    let (is_rated, out, said) = run(
        &["rate", "--system", "trueskill", "--evaluate-from", "0.5", path],
        "",
    );
    assert!(is_rated, "{said}");
    for name in ["ann", "bob", "cyd", "dot"] {
        assert!(out.contains(name), "{out}");
    }
}

#[test]
fn lists_of_lists_are_the_sides_of_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.parquet");
    let schema = "message m { required binary time (UTF8); \
        required group teams (LIST) { repeated group list { required group element (LIST) { repeated group list { \
        required binary element (UTF8); } } } } \
        required group ranks (LIST) { repeated group list { required binary element (UTF8); } } }";
    store(
        &path,
        schema,
        &[
            &|group| texts(group, &["2024-05-01", "2024-05-02"], None),
            &|group| {
                let names = ["ann", "bob", "cyd", "dot", "bob", "cyd"];
                texts(group, &names, Some([&[2; 6], &[0, 2, 1, 2, 0, 1]]));
            },
            &|group| texts(group, &["1", "2", "2", "1"], Some([&[1; 4], &[0, 1, 0, 1]])),
        ],
    );
    let path = path.to_str().unwrap();
    let rate = [
        "rate",
        "--system",
        "trueskill",
        "--evaluate-from",
        "0.5",
        "--json",
    ];
    let (is_rated, out, said) = run(&[&rate[..], &[path]].concat(), "");
    assert!(is_rated, "{said}");
    let lines = "{\"time\":\"2024-05-01\",\"teams\":[[\"ann\",\"bob\"],[\"cyd\",\"dot\"]],\"ranks\":[1,2]}\n\
                 {\"time\":\"2024-05-02\",\"teams\":[[\"bob\"],[\"cyd\"]],\"ranks\":[2,1]}\n";
    let (_, json, _) = run(&[&rate[..], &["-"]].concat(), lines);
    let board = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["leaderboard"].clone();
    assert_eq!(board(&out), board(&json));
}

#[test]
fn maps_of_parquet_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.parquet");
    let schema = "message m { required binary id (UTF8); \
        optional group pings (MAP) { repeated group key_value { required binary key (UTF8); required binary value (UTF8); } } }";
    let levels: [&[i16]; 2] = [&[2, 2], &[0, 0]];
    store(
        &path,
        schema,
        &[
            &|group| texts(group, &["ann", "bob"], None),
            &|group| texts(group, &["eu", "eu"], Some(levels)),
            &|group| texts(group, &["30", "40"], Some(levels)),
        ],
    );
    let (_, _, said) = run(&["lobby", path.to_str().unwrap(), "--teams", "1v1"], "");
    assert!(said.contains("lists of records were not read: pings"), "{said}");
}

#[test]
fn a_time_of_day_of_parquet_is_joined_with_its_date() {
    let field = |name: &str, physical, logical| {
        let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
        Arc::new(field.with_logical_type(Some(logical)).build().unwrap())
    };
    let text = |name: &str| field(name, Physical::BYTE_ARRAY, LogicalType::String);
    for (unit, a_second) in [
        (TimeUnit::MICROS, 1_000_000_i64),
        (TimeUnit::NANOS, 1_000_000_000),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.parquet");
        let fields = vec![
            field("date", Physical::INT32, LogicalType::Date),
            field("time", Physical::INT64, LogicalType::time(false, unit)),
            text("winner"),
            text("loser"),
        ];
        let schema = Type::group_type_builder("m").with_fields(fields).build().unwrap();
        write(
            &path,
            Arc::new(schema),
            &[
                &|group| {
                    let mut column = group.next_column().unwrap().unwrap();
                    column
                        .typed::<Int32Type>()
                        .write_batch(&[19852], None, None)
                        .unwrap();
                    column.close().unwrap();
                },
                &|group| {
                    let mut column = group.next_column().unwrap().unwrap();
                    let clock = [66_600 * a_second];
                    column
                        .typed::<Int64Type>()
                        .write_batch(&clock, None, None)
                        .unwrap();
                    column.close().unwrap();
                },
                &|group| texts(group, &["ann"], None),
                &|group| texts(group, &["bob"], None),
            ],
        );
        let rate = [
            "rate",
            "--system",
            "glicko",
            "--evaluate-from",
            "0.5",
            path.to_str().unwrap(),
        ];
        let (is_rated, out, said) = run(&rate, "");
        assert!(is_rated && out.contains("2024-05-09T18:30:00Z"), "{out} {said}");
    }
}

/// Those who block each other never meet.
const RULES: &str = "[scoring.factors.team_skill]\n[scoring.rules.blocks]\n";

fn lobby(input: &str, more: &[&str]) -> (bool, String, String) {
    run(&[&["lobby", "-", "--teams", "1v1"], more].concat(), input)
}

#[test]
fn lists_of_players_are_read_in_every_spelling() {
    let players =
        |blocks: &str| format!("id,skill,blocks\nann,1500,{blocks}\nbob,1500,\ncyd,1500,\ndot,1500,\n");
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("p.toml");
    std::fs::write(&policy, RULES).unwrap();
    let policy = ["--policy", policy.to_str().unwrap()];
    let (is_read, wanted, said) = lobby(&players("bob;cyd"), &policy);
    assert!(
        is_read && wanted != lobby(&players(""), &policy).1,
        "{said} {wanted}"
    );
    for blocks in [
        "\"bob,cyd\"",
        "\"bob, cyd\"",
        "bob|cyd",
        "\"['bob', 'cyd']\"",
        "\"[\"\"bob\"\",\"\"cyd\"\"]\"",
    ] {
        let (is_read, out, said) = lobby(&players(blocks), &policy);
        assert!(is_read, "{said}");
        assert_eq!(out, wanted, "{blocks}");
    }
    let json = "{\"id\":\"ann\",\"blocks\":\"bob,cyd\"}\n{\"id\":\"bob\"}\n";
    let (is_read, _, said) = lobby(json, &[]);
    assert!(
        !is_read && said.contains("1:13: `blocks` is a text; write a list: [\"bob\",\"cyd\"]"),
        "{said}"
    );
    let json = json
        .replace("\"bob,cyd\"", "[\"bob,cyd\"]")
        .replace("{\"id\":\"bob\"}", "{\"id\":\"bob\"}\n{\"id\":\"cyd\"}");
    let (is_read, _, said) = lobby(&json, &[]);
    assert!(
        !is_read && said.contains("write each name by itself: [\"bob\", \"cyd\"]"),
        "{said}"
    );
    let (is_read, _, said) = lobby("id,region\nann,eu|us\nbob,eu\n", &[]);
    assert!(
        !is_read && said.contains(":2") && said.contains("a player has one region"),
        "{said}"
    );
    let (is_read, _, said) = lobby("id,skill\na;b,1\nc,1\n", &[]);
    assert!(!is_read && said.contains(":2:1: `id` is `a;b`"), "{said}");
    assert!(lobby("id,skill\na|b,1\nc,1\n", &["--names-as-written"]).0);
}

#[test]
fn players_who_are_nobody_and_parties_that_are_none() {
    for word in ["NULL", "-", "N/A", "nan"] {
        let (is_read, _, said) = lobby(&format!("id,skill\nann,1\n{word},1\n"), &[]);
        assert!(
            !is_read && said.contains(":3:1: `id` is") && said.contains("stands for nobody"),
            "{said}"
        );
        // Two of one party never meet.
        let party = format!("id,skill,party\nann,1500,{word}\nbob,1500,{word}\n");
        let none = "id,skill,party\nann,1500,\nbob,1500,\n";
        assert_eq!(lobby(&party, &[]).1, lobby(none, &[]).1, "{word}");
    }
    let (is_read, _, said) = lobby("id,skill,party\nann,1500,0\nbob,1500,0\n", &[]);
    assert!(is_read && said.contains("taken for no party"), "{said}");
    let (is_read, _, said) = lobby(
        "id,skill,party\na,1,0\nb,1,0\nc,1,7\nd,1,7\n",
        &["--teams", "2v2"],
    );
    assert!(!is_read, "{said}");
    let (_, _, said) = lobby("id,skill,region\nann,1500,EU\nbob,1500,eu\n", &[]);
    assert!(
        said.contains("regions that differ in case alone") && said.contains("`EU` and `eu`"),
        "{said}"
    );
}

#[test]
fn truths_are_letters_where_both_are_there() {
    let hosts = |ann: &str, bob: &str| format!("id,skill,can_host\nann,1500,{ann}\nbob,1500,{bob}\n");
    assert_eq!(
        lobby(&hosts("T", "F"), &[]).1,
        lobby(&hosts("true", "false"), &[]).1
    );
    assert!(lobby(&hosts("TRUE", "False"), &[]).0);
    let (is_read, _, said) = lobby(&hosts("T", "T"), &[]);
    assert!(!is_read && said.contains("true or false is needed"), "{said}");
}

#[test]
fn tickets_take_lists_and_leave_out_nobody() {
    let replay = |text: &str| run(&["replay", "-", "--policy", "widening", "--json"], text);
    let figures = |out: &str| {
        let mut value: serde_json::Value = serde_json::from_str(out).unwrap();
        value.as_object_mut().map(|all| all.remove("log"));
        value
    };
    let log = |players: &str, region: &str| {
        format!(
            "ticket,time,left,players,region,skill\na,1714586500,1714586560,{players},{region},1500\n\
             b,1714586510,1714586560,cyd;dot,us,1510\n"
        )
    };
    let (is_read, wanted, said) = replay(&log("ann;bob", "eu;us"));
    assert!(is_read, "{said}");
    for (players, region) in [
        ("ann|bob", "eu|us"),
        ("\"ann,bob\"", "\"eu,us\""),
        ("\"['ann', 'bob']\"", "\"eu, us\""),
    ] {
        let (is_read, out, said) = replay(&log(players, region));
        assert!(is_read, "{said}");
        assert_eq!(figures(&out), figures(&wanted), "{players}");
    }
    let (is_read, _, said) = replay(&log("ann;NULL", "eu"));
    assert!(!is_read && said.contains("stands for nobody"), "{said}");
    let (_, _, said) = replay(&log("ann;bob", "US"));
    assert!(said.contains("regions that differ in case alone"), "{said}");
    let parties = |label: &str| {
        format!(
            "player,party,time,left,skill\nann,{label},1714586500,1714586560,1500\nbob,{label},1714586500,1714586560,1510\n\
             cyd,{label},1714586505,1714586560,1500\n"
        )
    };
    let (_, alone, _) = replay(&parties(""));
    for label in ["NULL", "-", "0", "-1"] {
        assert_eq!(figures(&replay(&parties(label)).1), figures(&alone), "{label}");
    }
}

#[test]
fn what_a_row_of_players_says_twice_or_in_one_word_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("p.toml");
    std::fs::write(&policy, RULES).unwrap();
    let policy = ["--policy", policy.to_str().unwrap(), "--names-as-written"];
    // A name that is known is no list.
    let blocks = |name: &str| {
        lobby(
            &format!("id,skill,blocks\n{name},1000,\nc,1000,{name}\n"),
            &policy,
        )
        .1
    };
    assert_eq!(blocks("a;b").replace("a;b", "xyz"), blocks("xyz"));
    for (header, row, place, words) in [
        ("id,skill,pings", "a,1,eu=30;eu=400", ":2:3:", "400"),
        ("id,skill,ping_to", "a,1,c=30;c=400", ":2:3:", "400"),
        ("id,skill,pings,ping_eu", "a,1,eu=30,400", ":2:4:", "400"),
        (
            "id,skill,pings",
            "a,1,\"{\"\"eu\"\":30,\"\"eu\"\":300}\"",
            ":2:3:",
            "comes twice",
        ),
        (
            "id,skill,blocks",
            "a,1,c/d",
            ":2",
            "write each name by itself: [\"c\", \"d\"]",
        ),
        (
            "id,skill,blocks",
            "a,1,c & d",
            ":2",
            "write each name by itself: [\"c\", \"d\"]",
        ),
        (
            "id,skill,blocks",
            "a,1,c d",
            ":2",
            "write each name by itself: [\"c\", \"d\"]",
        ),
    ] {
        let rest = ",".repeat(header.matches(',').count() - 1);
        let text = format!("{header}\n{row}\nc,1{rest}\nd,1{rest}\n");
        let (is_read, _, said) = lobby(&text, &[]);
        assert!(
            !is_read && said.contains(place) && said.contains(words),
            "{row}: {said}"
        );
    }
    let (_, plain, _) = lobby("id,skill,blocks\na,1,b;c\nb,1,\nc,1,\n", &policy[..2]);
    for list in ["{b;c}", "[b|c]", "(b;c)", "\"[b, c]\""] {
        let (_, out, said) = lobby(
            &format!("id,skill,blocks\na,1,{list}\nb,1,\nc,1,\n"),
            &policy[..2],
        );
        assert_eq!(out, plain, "{list}: {said}");
    }
}

/// Players of a queue who never meet: some leave, some get a match.
fn leavers(name: &str, none: &str) -> String {
    let row = |at: u32| {
        let came = 1_714_586_500 + 10 * at;
        match at % 3 {
            0 => format!("t{at},{came},{},1500,{none}\n", came + 30 + at),
            _ => format!("t{at},{came},{},1500,m{}\n", came + 5, at / 3 + 1),
        }
    };
    format!(
        "ticket,time,left,skill,{name}\n{}",
        (0..90).map(row).collect::<String>()
    )
}

#[test]
fn the_match_0_is_what_the_whole_column_says() {
    let fit = |text: &str| {
        let (is_read, out, said) = run(&["simulate", "fit", "-"], text);
        assert!(is_read, "{said}");
        let lines = out.lines().filter(|line| !line.contains("sha256"));
        lines.map(|line| line.to_owned() + "\n").collect::<String>()
    };
    let wanted = fit(&leavers("match", ""));
    assert!(wanted.contains("from 30 tickets that gave up"), "{wanted}");
    for none in ["0", "0.0", "-1", "false", "NULL", "-"] {
        assert_eq!(fit(&leavers("match", none)), wanted, "{none}");
    }
    // Two tickets of a match that is the first.
    let first = fit(&leavers("match", "").replace(",1500,m", ",1500,"));
    assert_eq!(
        fit(&leavers("match", "")
            .replace(",m1\n", ",0\n")
            .replace(",1500,m", ",1500,")),
        first
    );
}

#[test]
fn tickets_of_nobody_and_numbers_of_none() {
    let log = |columns: &str, rows: &[&str]| {
        format!(
            "time,skill,{columns}\n1000000000,1000,{}\n",
            rows.join("\n1000000000,1010,")
        )
    };
    let replay = |text: &str| run(&["replay", "-", "--policy", "widening", "--json"], text);
    let figures = |text: &str| {
        let (is_read, out, said) = replay(text);
        assert!(is_read, "{said}");
        let mut value: serde_json::Value = serde_json::from_str(&out).unwrap();
        value.as_object_mut().map(|all| all.remove("log"));
        value
    };
    // Strangers have no ticket in common, and no queue of that name.
    assert_eq!(
        figures(&log("ticket,player", &["-,a", "-,b"])),
        figures(&log("ticket,player", &[",a", ",b"]))
    );
    assert_eq!(
        figures(&log("queue,player", &["NULL,a", "-,b"])),
        figures(&log("queue,player", &[",a", ",b"]))
    );
    let (is_read, _, said) = replay(&log("player,party", &["a,7", ",7", "c,8"]));
    assert!(
        !is_read && said.contains(":3:1: no player, where other rows have one"),
        "{said}"
    );
    for (region, is_refused) in [("eu/us", true), ("eu+us", true), ("eu/asia", false)] {
        let (is_read, _, said) = replay(&log("player,region", &[&format!("a,{region}"), "b,us", "c,eu"]));
        assert!(is_read != is_refused, "{region}: {said}");
    }
    assert!(replay(&log("player,region", &["a,{eu;us}", "b,us"])).0);
    // Long numbers are ids, and a number may be left out.
    for name in ["steamid64", "account", "steam_id"] {
        figures(&log(
            &format!("player,{name}"),
            &["a,76561198012345678", "b,76561198012345679"],
        ));
        let json = |id: u64| {
            format!("{{\"time\":1000000000,\"player\":\"p{id}\",\"skill\":1000,\"{name}\":{id}}}\n")
        };
        figures(&(json(76_561_198_012_345_678) + &json(76_561_198_012_345_679)));
    }
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("kd.toml");
    let text = "name = \"kd\"\nversion = \"1\"\n[[queue.windows]]\nof = \"kd\"\nstart = 1\nper_second = 0\n[objective]\nof = \"kd\"\n";
    std::fs::write(&policy, text).unwrap();
    let (_, _, said) = run(
        &["replay", "-", "--policy", policy.to_str().unwrap()],
        &log("player,kd", &["a,1.5", "b,1.6", "c,NULL"]),
    );
    assert!(!said.contains("no ticket has the number"), "{said}");
}

#[test]
fn ends_of_edges_are_players() {
    for (name, what) in [
        ("a;b", "write a row for each"),
        ("NULL", "stands for nobody"),
        ("-", "stands for nobody"),
    ] {
        let text = format!("player1,player2,weight\n{name},c,1\nd,e,2\n");
        let said = complaint(&["pair", "-"], text, 1);
        assert!(
            said.contains("standard input:2:1:") && said.contains(what),
            "{said}"
        );
    }
    let (_, _, said) = run(&["pair", "-"], "player1,player2,weight\nAnn,ann,1\n");
    assert!(said.contains("`Ann` and `ann`"), "{said}");
}
