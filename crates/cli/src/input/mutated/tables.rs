//! Seeds and readers for inputs that are changed at random: matches, tickets, players, graphs and pasted tables, as text.

use super::super::generated::Dice;
use super::Kind;
use super::mutate::text as changed_text;
use crate::arguments::ReadingOptions;
use crate::bundled::EXAMPLES;
use crate::failure::Failure;
use crate::graph::{GraphOptions, read_graph};
use crate::input::PastedTable;
use crate::input::matches::games_of_text;
use crate::input::players::players_of;
use crate::input::scale::Beside;
use crate::input::source::Source;
use crate::input::tickets::tickets_of;
use matchwright_import::{PlayerColumns, TableColumns, TicketOptions};

/// The first seven lines of an example: short seeds are read faster, and changes break them in as many ways.
pub(super) fn example(name: &str) -> Vec<u8> {
    let found = EXAMPLES.iter().find(|example| example.name == name);
    let text = found.unwrap_or_else(|| panic!("no example {name}")).text;
    let end = text.char_indices().filter(|(_, c)| *c == '\n').nth(6);
    text.as_bytes()[..end.map_or(text.len(), |(end, _)| end + 1)].to_vec()
}

/// Formats and columns that the bundled examples do not have.
const MATCHES: [&str; 16] = [
    "time,winner,loser\n2024-01-01,ann,bob\n2024-01-02 10:00,bob,cyd\n2024-01-03T00:00:00Z,cyd,ann\n",
    "date,time,team1,team2,score1,score2,match\n2024-02-01,10:00,\"a;b\",c;d,1,0,7\n2024-02-02,11:00,a;c,b;d,0,0,8\n",
    "match,time,player,team,place\n1,1700000000,a,x,1\n1,1700000000,b,x,1\n1,1700000000,c,y,2\n2,1700000100,a,,1\n2,1700000100,c,,2\n",
    "match;time;player;side;won;party;minutes\n1;2024-01-01;a;1;T;p;3\n1;2024-01-01;b;1;T;p;9\n1;2024-01-01;c;2;F;;9\n",
    "time,player1,player2,result\n2024-01-01,a,b,1-0\n2024-01-02,a,c,1/2-1/2\n2024-01-03,b,c,W\n",
    "[{\"time\":\"2024-01-01\",\"player1\":\"a\",\"player2\":\"b\",\"winner\":\"a\"},\n{\"time\":\"2024-01-02\",\"player1\":\"a\",\"player2\":\"b\",\"winner\":\"b\"}]\n",
    "{\"time\":1714500000,\"teams\":[[\"a\"],[{\"player\":\"b\",\"party\":1}]],\"scores\":[1,2]}\n",
    "{\"time\":\"2024-01-01T00:00:00Z\",\"player1\":\"a\",\"player2\":\"b\",\"winner\":\"a\",\"match\":\"m\"}\n",
    // PGN.
    "[Event \"x\"]\n[White \"A, B\"]\n[Black \"C \\\"D\\\"\"]\n[UTCDate \"2024.05.01\"]\n[UTCTime \"10:00:01\"]\n[Result \"1-0\"]\n\n1. e4 { [%clk 1] } e5 ; x\n1-0\n\n\
     [White \"E\"] [Black \"F\"]\n[Date \"2024.05.02\"]\n\n1. d4 1/2-1/2\n",
    // Lichess, a game a line.
    "{\"id\":\"a\",\"createdAt\":1714505150384,\"status\":\"mate\",\"players\":{\"white\":{\"user\":{\"name\":\"a\"}},\"black\":{\"user\":{\"name\":\"b\"}}},\"winner\":\"black\"}\n\
     {\"id\":\"b\",\"createdAt\":1714505150385,\"status\":\"draw\",\"players\":{\"white\":{\"user\":{\"name\":\"a\"}},\"black\":{\"user\":{\"name\":\"b\"}}}}\n",
    // football-data.org, matches within an object.
    "{\"page\": {\"n\": [1, {\"x\": []}]},\n\"matches\": [\n{\"utcDate\": \"2024-01-01T00:00:00Z\", \"status\": \"FT\", \"homeTeam\": {\"name\": \"a\"}, \"awayTeam\": {\"name\": \"b\"},\
     \"score\": {\"fullTime\": {\"home\": 1, \"away\": 0}}}]}",
    // OpenDota.
    "[{\"match_id\":1,\"start_time\":1714505150,\"radiant_win\":true,\"players\":[{\"account_id\":1,\"player_slot\":0},{\"account_id\":null,\"player_slot\":1},{\"account_id\":3,\"player_slot\":128}]}]",
    // Riot.
    "{\"info\":{\"gameCreation\":1714505150384,\"participants\":[{\"puuid\":\"a\",\"teamId\":100,\"win\":true},{\"puuid\":\"b\",\"teamId\":200,\"win\":false}]}}\n",
    "{\"games\":[{\"end_time\":1714505150,\"teams\":[{\"players\":[\"a\",\"b\"],\"score\":1.5},{\"players\":[\"c\"],\"score\":0.5}]}]}",
    // FIDE's report of a tournament.
    "012 x\n132                                                                                        24/05/01  24/05/02\n\
     001    1      A, B                              2000                             1.0    1     2 w 1     2 b =\n\
     001    2      C                                 2000                             1.0    2     1 b 0     1 w =\n",
    "time,player1,player2,score1,score2,neutral,margin\n2024-01-05,a,b,10,3,true,7\n2024-01-06,b,a,2,2,false,0\n",
];

const TICKETS: [&str; 4] = [
    "ticket,player,party,time,left,matched,rating,queue,region,ping_eu,ping_na\n\
     1,a,,2024-01-01T00:00:00Z,,2024-01-01T00:00:09Z,1500,duel,eu,20,90\n\
     2,b,p,2024-01-01T00:00:01Z,2024-01-01T00:00:30Z,,1600,duel,na,80,30\n",
    "ticket,players,time,wait,size,match\n1,\"a;b\",1700000000,12,2,m1\n2,c,1700000003,9,1,m1\n3,d,1700000005,,1,\n",
    "{\"ticket\":\"t\",\"time\":1700000000,\"players\":[{\"id\":\"a\",\"rating\":1500,\"roles\":[\"x\"]}],\"pings\":{\"eu\":20}}\n\
     {\"ticket\":\"u\",\"time\":1700000001,\"players\":[\"b\",\"c\"],\"expires\":1700000009}\n",
    "[{\"id\":1,\"came\":5,\"players\":[{\"id\":1,\"attributes\":{\"rating\":3}}]},{\"id\":2,\"came\":9,\"players\":[{\"id\":2}]}]",
];

fn bytes(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn examples(names: &[&str]) -> Vec<Vec<u8>> {
    names.iter().map(|name| example(name)).collect()
}

pub(super) fn options(dice: &mut Dice) -> ReadingOptions {
    let mut options = ReadingOptions {
        skip_bad: dice.one_in(3),
        sort: dice.one_in(2),
        keep_repeats: dice.one_in(4),
        ..ReadingOptions::default()
    };
    options.names.as_written = dice.one_in(4);
    options
}

pub(super) fn read_matches(dice: &mut Dice, text: &[u8]) -> Result<(), Failure> {
    games_of_text(text, &options(dice)).map(drop)
}

pub(super) fn read_tickets(dice: &mut Dice, text: &[u8]) -> Result<(), Failure> {
    let reading = TicketOptions {
        skip_bad: dice.one_in(3),
        ..TicketOptions::default()
    };
    tickets_of(Source::of_text(text)?, Beside::Nothing, &reading).map(drop)
}

pub(super) fn kinds() -> Vec<Kind> {
    let kind = |name, seeds: [Vec<Vec<u8>>; 2], read| Kind {
        name,
        seeds: seeds.concat(),
        change: changed_text,
        read,
        is_packed: false,
    };
    let graphs = [
        "4 3\n0 1 2.5\n1 2 -3\n2 3 0\n",
        "player1,player2,weight\nann,bob,2\nbob,cyd,4\n",
        "2 1\n0 1 1e300\n",
        "id,x,y,z\nann,0.5,1e3,-2\nbob,1,2,3\n",
    ];
    vec![
        kind(
            "matches",
            [
                examples(&["matches.csv", "teams.jsonl", "parties.jsonl"]),
                bytes(&MATCHES),
            ],
            read_matches,
        ),
        kind(
            "tickets",
            [
                examples(&["queue/tickets.csv", "queue/teams.jsonl"]),
                bytes(&TICKETS),
            ],
            read_tickets,
        ),
        kind(
            "players",
            [
                examples(&["lobby/players.csv", "lobby/players.jsonl"]),
                Vec::new(),
            ],
            |dice, text| {
                let columns = PlayerColumns::default();
                players_of(Source::of_text(text)?, Beside::Nothing, &columns, dice.one_in(4)).map(drop)
            },
        ),
        kind("graphs", [Vec::new(), bytes(&graphs)], |dice, text| {
            let options = GraphOptions {
                is_partial: !dice.one_in(2),
                names_as_written: dice.one_in(4),
                ..GraphOptions::default()
            };
            read_graph(&Source::of_text(text)?, &options).map(drop)
        }),
        kind(
            "pasted",
            [
                examples(&[
                    "ladder/top.csv",
                    "ladder/games.csv",
                    "ladder/early.csv",
                    "ladder/histories.csv",
                ]),
                bytes(&["name\tpoints\twins\twon %\nann\t1,234\t7\t55 %\n\"b\tc\"\t-3\t0\t1e2%\n"]),
            ],
            |_, text| {
                let table = PastedTable::of(Source::of_text(text)?, &TableColumns::default())?;
                for name in ["points", "wins", "change"] {
                    if let Some(column) = table.column(&[name]) {
                        (0..table.len()).try_for_each(|row| table.number_or_above(row, column).map(drop))?;
                    }
                }
                // Counts go through a stricter reader.
                if let Some(column) = table.column(&["wins"]) {
                    (0..table.len()).try_for_each(|row| table.count(row, column).map(drop))?;
                }
                Ok(())
            },
        ),
    ]
}
