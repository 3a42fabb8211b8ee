//! Commas in the numbers of players, tickets and edges, and what their columns are taken for.

use matchwright_import::{
    EdgeForm, EdgeOptions, Edges, Input, PlayerOptions, Players, Report, Source, TicketOptions, Tickets,
    Value,
};

fn source(text: &str) -> Source {
    let bytes = std::io::Cursor::new(text.as_bytes().to_vec());
    Source::read(Input::new("text", bytes)).unwrap()
}

fn taken(report: &Report) -> Vec<String> {
    let told = report
        .taken
        .iter()
        .map(|(name, meaning)| format!("{name} {meaning}"));
    told.collect()
}

const DECIMAL: &str = "commas in numbers are decimal";

#[test]
fn commas_are_decimal_where_all_numbers_of_a_column_say_so() {
    let players = source("name;rating;region\nann;1.500,5;eu\nbob;1.400;eu\n");
    let players = Players::of(&players, &PlayerOptions::default()).unwrap();
    let skills: Vec<f64> = players
        .players
        .iter()
        .filter_map(|one| one.values.get("skill")?.number())
        .collect();
    assert_eq!(skills, [1500.5, 1400.0]);
    assert!(
        players.report.notes.iter().any(|note| note == DECIMAL),
        "{:?}",
        players.report.notes
    );
    assert_eq!(
        taken(&players.report),
        ["name id", "rating skill", "region region"]
    );

    let tickets =
        source("time;player;skill;form\n2024-05-01 10:00;ann;1.500,5;-0,5\n2024-05-01 10:01;bob;1.400;2\n");
    let tickets = Tickets::of(&tickets, &TicketOptions::default()).unwrap();
    for (attribute, wanted) in [("skill", [1500.5, 1400.0]), ("form", [-0.5, 2.0])] {
        let values = tickets.tickets.iter().map(|ticket| {
            let own = ticket.players[0].attributes.get(attribute);
            own.or_else(|| ticket.attributes.get(attribute))
                .and_then(Value::number)
        });
        assert_eq!(values.collect::<Vec<_>>(), wanted.map(Some), "{attribute}");
    }
    assert!(
        tickets.report.notes.iter().any(|note| note == DECIMAL),
        "{:?}",
        tickets.report.notes
    );
    assert_eq!(
        taken(&tickets.report),
        ["time time", "player player", "skill skill", "form form"]
    );

    let edges = source("from;to;cost\nann;bob;1,5\nbob;cyd;2\n");
    let edges = Edges::of(&edges, &EdgeOptions::default()).unwrap();
    let EdgeForm::Pairs(pairs) = &edges.form else {
        panic!("{:?}", edges.form)
    };
    assert_eq!(
        pairs.iter().map(|edge| edge.weight).collect::<Vec<_>>(),
        [1.5, 2.0]
    );
    assert_eq!(edges.report.notes, [DECIMAL]);
    assert_eq!(
        taken(&edges.report),
        ["from player1", "to player2", "cost weight"]
    );
}

#[test]
fn commas_that_may_be_either_are_refused_and_lists_stay_texts() {
    let open = "a comma before decimals, or between thousands? write a point before decimals";
    let players = Players::of(&source("id;skill\nann;1,500\n"), &PlayerOptions::default());
    let tickets = source("time;player;form\n2024-05-01 10:00;ann;1,500\n");
    let tickets = Tickets::of(&tickets, &TicketOptions::default());
    let edges = Edges::of(&source("from;to;cost\nann;bob;1,500\n"), &EdgeOptions::default());
    for what in [
        players.unwrap_err().to_string(),
        tickets.unwrap_err().to_string(),
        edges.unwrap_err().to_string(),
    ] {
        assert!(what.contains(open), "{what}");
    }
    let tickets = source("time;player;maps\n2024-05-01 10:00;ann;1,2,3\n2024-05-01 10:01;bob;2,5\n");
    let tickets = Tickets::of(&tickets, &TicketOptions::default()).unwrap();
    let maps = tickets.tickets.iter().map(|ticket| {
        let own = ticket.players[0].attributes.get("maps");
        own.or_else(|| ticket.attributes.get("maps"))
            .and_then(Value::text)
    });
    assert_eq!(maps.collect::<Vec<_>>(), [Some("1,2,3"), Some("2,5")]);
}
