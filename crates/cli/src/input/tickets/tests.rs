//! Every form of a file of tickets, and what is wrong with bad ones.

use matchwright_import::{TicketColumns, TimeUnit};
use matchwright_queue::{Time, Value};

use super::*;

fn import(text: &str, columns: &str, skip_bad: bool) -> Result<ImportedTickets, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, text).unwrap();
    let reading = TicketOptions {
        columns: TicketColumns::parse(columns).unwrap(),
        time_unit: Some(TimeUnit::Seconds),
        time_format: None,
        date_order: None,
        skip_bad,
        names_as_written: false,
    };
    let folder = format!("{}/", folder.path().display());
    import_tickets(&path, &reading).map_err(|failure| failure.to_string().replace(&folder, ""))
}

fn read(text: &str) -> ImportedTickets {
    import(text, "", false).unwrap()
}

fn refused(text: &str) -> String {
    match import(text, "", false) {
        Ok(_) => panic!("read: {text}"),
        Err(what) => what,
    }
}

#[test]
fn a_row_is_a_ticket_and_its_other_columns_are_attributes() {
    let text = "ticket;time;left;matched;skill;mode;ranked;level;ping_eu;languages\n\
                a;0;;2.5;1500;duel;true;7;30;en\n\
                b;1.25;9;;1600;5v5;false;x;;de\n";
    let imported = read(&text.replace(';', "\t"));
    let [a, b] = imported.log.tickets() else {
        panic!("two tickets")
    };
    assert_eq!(
        (a.came, a.matched, a.left),
        (Time::default(), Some(Time::from_millis(2500)), None)
    );
    assert_eq!(
        (b.came, b.left),
        (Time::from_millis(1250), Some(Time::from_millis(9000)))
    );
    assert_eq!(
        (a.ticket.mean("skill"), a.ticket.word("mode")),
        (Some(1500.0), "duel".to_owned())
    );
    assert_eq!(a.ticket.attributes["ranked"], Value::Flag(true));
    // Not all are numbers.
    assert_eq!(a.ticket.attributes["level"], Value::Text("7".to_owned()));
    assert_eq!(
        a.ticket.attributes["languages"],
        Value::Texts(vec!["en".to_owned()])
    );
    assert_eq!(a.ticket.regions["eu"], 30.0);
    assert!(b.ticket.regions.is_empty());
    assert_eq!(imported.names.ticket(b.ticket.id), "b");
    assert_eq!(
        b.ticket.players[0].attributes["name"],
        Value::Text("b".to_owned())
    );
}

#[test]
fn rows_of_one_party_at_one_time_make_one_ticket() {
    let text = "player,party,time,skill,mode,ping_eu,ping_us\nann,p,0,1500,a,30,\nbob,,0,1000,a,,90\ncid,p,0,1700,a,50,80\n\
                ann,p,60,1510,b,30,\n";
    let imported = read(text);
    let [party, bob, again] = imported.log.tickets() else {
        panic!("three tickets")
    };
    assert_eq!((party.ticket.players.len(), bob.ticket.players.len()), (2, 1));
    assert_eq!(
        (party.ticket.mean("skill"), party.ticket.word("mode")),
        (Some(1600.0), "a".to_owned())
    );
    // What all accept, at the worst ping.
    assert_eq!(party.ticket.regions, [("eu".to_owned(), 50.0)].into());
    assert_eq!(party.ticket.players[0].id, again.ticket.players[0].id);
    assert_eq!(
        (imported.names.ticket(party.ticket.id), again.ticket.mean("skill")),
        ("p".to_owned(), Some(1510.0))
    );
}

#[test]
fn json_lines_an_array_and_csv_say_the_same() {
    let csv = "ticket,time,match,skill,players\na,0,,1500,x;y\nb,1,7,1600,z\n";
    let lines = "{\"ticket\":\"a\",\"time\":0,\"skill\":1500,\"players\":[\"x\",\"y\"]}\n\
                 {\"ticket\":\"b\",\"time\":1,\"match\":7,\"skill\":1600,\"players\":\"z\"}\n";
    let array = format!("[{}]", lines.trim().replace('\n', ",\n"));
    let known = read(csv);
    for text in [lines, &array] {
        let other = read(text);
        assert_eq!((other.log, other.names), (known.log.clone(), known.names.clone()));
    }
}

#[test]
fn tickets_as_the_queue_writes_them_are_read() {
    let text = r#"{"id":9,"players":[{"id":4,"attributes":{"skill":1500.0}},{"id":5,"attributes":{"skill":1700.0}}],"queues":["duo"],"regions":{"eu":30.0},"attributes":{"mode":"x"},"came":1500,"left":2600}"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, text).unwrap();
    let imported = import_tickets(&path, &TicketOptions::default()).unwrap();
    let [one] = imported.log.tickets() else {
        panic!("one ticket")
    };
    // Times of the queue are milliseconds.
    assert_eq!(
        (one.came.millis(), one.left.map(Time::millis)),
        (1500, Some(2600))
    );
    assert_eq!(
        (one.ticket.mean("skill"), one.ticket.word("mode")),
        (Some(1600.0), "x".to_owned())
    );
    assert_eq!(
        (&one.ticket.queues[0][..], one.ticket.regions["eu"]),
        ("duo", 30.0)
    );
    assert_eq!(imported.names.ticket(one.ticket.id), "9");
}

#[test]
fn a_ticket_with_a_match_was_matched_when_it_stopped_waiting() {
    let imported = import(
        "id,begin,end,match\na,0,4,m1\nb,0,5,\n",
        "time=begin,left=end",
        false,
    )
    .unwrap();
    let ends: Vec<_> = imported
        .log
        .tickets()
        .iter()
        .map(|one| (one.left.map(Time::millis), one.matched.map(Time::millis)))
        .collect();
    assert_eq!(ends, [(None, Some(4000)), (Some(5000), None)]);
}

#[test]
fn matches_have_the_teams_that_are_told_or_one_for_each_of_two_alike() {
    let imported = import(
        "ticket,time,match,team,size\n\
         a,0,m9,red,1\nb,0,m9,blue,2\nc,0,m9,red,1\n\
         d,0,m2,,2\ne,0,m2,,2\nf,0,,,1\n\
         g,0,m3,,1\nh,0,m3,,2\ni,0,m4,red,1\nj,0,m4,,1\n",
        "",
        false,
    )
    .unwrap();
    let names = |team: &Vec<TicketId>| {
        team.iter()
            .map(|&one| imported.names.ticket(one))
            .collect::<String>()
    };
    let matches = imported.log.matches().iter();
    let told: Vec<(String, Vec<String>)> = matches
        .map(|made| {
            (
                imported.names.recorded_match(made.id),
                made.teams.iter().map(names).collect(),
            )
        })
        .collect();
    let wanted = [
        ("m9", vec!["ac", "b"]),
        ("m2", vec!["d", "e"]),
        ("m3", vec!["gh"]),
        ("m4", vec!["ij"]),
    ];
    let wanted =
        wanted.map(|(name, teams)| (name.to_owned(), teams.into_iter().map(str::to_owned).collect()));
    assert_eq!(told, wanted);
}

#[test]
fn what_is_wrong_is_told_with_line_and_column() {
    for (text, said) in [
        ("", "log:1:1: the file is empty"),
        (
            "ticket,skill\na,1\n",
            "log:1:1: no column `time`, which says when a ticket came. The file has: ticket, skill",
        ),
        ("ticket,time\n", "log: no ticket in it"),
        (
            "ticket,time\na,soon\n",
            "log:2:2: `time` is `soon`, which is no time",
        ),
        (
            "ticket,time,left\na,5,4\n",
            "log:2:3: the ticket left before it came",
        ),
        (
            "ticket,time,left,matched\na,5,7,8\n",
            "log:2:3: the ticket both left and was matched",
        ),
        (
            "ticket,time\na,1\na,2\n",
            "log:3:1: the ticket is there twice, first in line 2",
        ),
        (
            "ticket,player,time\na,x,1\na,y,2\n",
            "log:3:3: the ticket came at another time in line 2",
        ),
        (
            "ticket,player,time,match\na,x,1,m1\na,y,1,m2\n",
            "log:3:4: the ticket has another match in line 2: its players play together",
        ),
        (
            "ticket,player,time,match,team\na,x,1,m1,1\na,y,1,m1,2\n",
            "log:3:5: the ticket has another team in line 2: its players play together",
        ),
        (
            "ticket,player,time\na,x,1\na,x,1\n",
            "log:3:2: the player is in this ticket already",
        ),
        (
            "ticket,time,skill\na,1,high\n",
            "log:2:3: `skill` is `high`; a finite number is needed",
        ),
        (
            "ticket,time,ping_eu\na,1,-3\n",
            "log:2:3: the ping to `eu` is -3; give milliseconds of 0 or more",
        ),
        (
            "ticket,time,size\na,1,0\n",
            "log:2:3: `size` is `0`; a number of players from 1 to 256 is needed",
        ),
        (
            "{\"time\":1,\"skill\":[1]}",
            "log:1:11: `skill` is `[1]`; an attribute is",
        ),
        ("{\"ticket\":\"a\"}", "log:1:1: the row has no time"),
        (
            "{\"time\":1,\"attributes\":3}",
            "log:1:11: `attributes` must be an object",
        ),
    ] {
        let what = refused(text);
        assert!(what.starts_with(said), "{text}: {what}");
    }
}

#[test]
fn bad_rows_are_skipped_and_counted_where_asked() {
    let imported = import("ticket,time\na,1\nb,soon\nc\nd,2\n", "", true).unwrap();
    assert_eq!(imported.log.len(), 2);
    let note = imported
        .notes
        .iter()
        .find(|note| note.starts_with("2 tickets (2 rows) skipped"))
        .unwrap();
    assert!(
        note.contains("`time` `soon`, which is no time") && note.contains(", line 3"),
        "{note}"
    );
    // Where a quote is left open, how much is lost is unknown.
    assert!(import("ticket,time\n\"a,1\n", "", true).is_err());
}
