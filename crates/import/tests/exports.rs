//! Exports as programs and people write them: files with any two of what makes them peculiar, each read at the first try as it was meant.
//! They are all made from the same matches.

use std::fmt::Write;

use matchwright_import::{ImportError, Input, MatchOptions, Matches};

/// A match as it was played.
struct Played {
    /// Unix seconds.
    time: i64,
    players: [String; 2],
    /// Twice the score of the first: 2, 1 or 0.
    twice: u32,
    scores: [u32; 2],
    is_forfeit: bool,
}

fn played(rows: u32) -> Vec<Played> {
    let name = |place: u32| {
        const NAMES: [&str; 9] = [
            "ann",
            "Bob Ross",
            "Jose\u{301}",
            "dora",
            "eve",
            "Zoe\u{308}",
            "gus",
            "hal",
            "ivy",
        ];
        NAMES[place as usize % NAMES.len()].to_owned()
    };
    // A day, or the less the more there are.
    let step = (60 * 86_400 / i64::from(rows)).max(60);
    let one = |row: u32| {
        let scores = [row * 7 % 5, row * 11 % 4];
        Played {
            time: 1_714_564_800 + i64::from(row) * step + (i64::from(row) * 977) % (step - 400).max(1),
            players: [name(row), name(row + 1 + row % 7)],
            twice: 1 + u32::from(scores[0] > scores[1]) - u32::from(scores[0] < scores[1]),
            scores,
            is_forfeit: row % 10 == 7,
        }
    };
    (0..rows).map(one).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    /// A row for each match.
    Wide,
    /// A row for each player.
    Long,
    JsonLines,
    /// An array under keys of an object.
    Wrapped,
    /// Players as objects in objects.
    Nested,
    Pgn,
}

#[derive(Clone, Copy, PartialEq)]
enum When {
    Rfc,
    Dotted,
    American,
    Milliseconds,
    /// A date and a time of day.
    TwoColumns,
    Slashes,
}

#[derive(Clone, Copy, PartialEq)]
enum Told {
    Scores,
    Result,
    /// `1,0`, `0,5`, `0,0`.
    Decimal,
    /// The winner's name.
    Winner,
    /// `A`, `B` or `draw`.
    Sides,
    /// `1–0`, `½–½`.
    Books,
}

#[allow(clippy::struct_excessive_bools, reason = "each is a peculiarity of its own")]
struct Export {
    layout: Layout,
    when: When,
    told: Told,
    separator: char,
    says_separator: bool,
    line_end: &'static str,
    mark: bool,
    utf16: bool,
    quotes: bool,
    has_forfeits: bool,
    has_ids: bool,
    more_columns: bool,
    blank_lines: bool,
    packed: bool,
    capitals: bool,
}

type Peculiarity = (&'static str, fn(&mut Export));

const PECULIARITIES: [Peculiarity; 24] = [
    ("byte order mark", |file| file.mark = true),
    ("CR LF", |file| file.line_end = "\r\n"),
    ("semicolons", |file| file.separator = ';'),
    ("tabs", |file| file.separator = '\t'),
    ("sep=;", |file| {
        (file.says_separator, file.separator) = (true, ';');
    }),
    ("decimal commas", |file| {
        (file.told, file.separator) = (Told::Decimal, ';');
    }),
    ("dd.mm.yyyy", |file| file.when = When::Dotted),
    ("m/d/yyyy", |file| file.when = When::American),
    ("yyyy/mm/dd", |file| file.when = When::Slashes),
    ("milliseconds", |file| file.when = When::Milliseconds),
    ("date and time apart", |file| file.when = When::TwoColumns),
    ("the winner's name", |file| file.told = Told::Winner),
    ("A and B", |file| file.told = Told::Sides),
    ("signs of books", |file| file.told = Told::Books),
    ("a result", |file| file.told = Told::Result),
    ("a row for each player", |file| file.layout = Layout::Long),
    ("JSON lines", |file| file.layout = Layout::JsonLines),
    ("wrapped", |file| file.layout = Layout::Wrapped),
    ("nested", |file| file.layout = Layout::Nested),
    ("PGN", |file| file.layout = Layout::Pgn),
    ("forfeits", |file| file.has_forfeits = true),
    ("ids and more columns", |file| {
        (file.has_ids, file.more_columns, file.capitals) = (true, true, true);
    }),
    ("quotes and blank lines", |file| {
        (file.quotes, file.blank_lines) = (true, true);
    }),
    ("UTF-16, packed", |file| (file.utf16, file.packed) = (true, true)),
];

impl Export {
    fn new() -> Self {
        Self {
            layout: Layout::Wide,
            when: When::Rfc,
            told: Told::Scores,
            separator: ',',
            says_separator: false,
            line_end: "\n",
            mark: false,
            utf16: false,
            quotes: false,
            has_forfeits: false,
            has_ids: false,
            more_columns: false,
            blank_lines: false,
            packed: false,
            capitals: false,
        }
    }

    /// The cells of the time, with their names.
    fn times(&self, time: i64) -> Vec<(&'static str, String)> {
        let stamp = jiff::Timestamp::from_second(time).unwrap();
        let written = |format: &str| stamp.strftime(format).to_string();
        match (self.layout, self.when) {
            (Layout::Pgn, _) => vec![("UTCDate", written("%Y.%m.%d")), ("UTCTime", written("%H:%M:%S"))],
            (_, When::Rfc) => vec![("time", written("%Y-%m-%dT%H:%M:%SZ"))],
            (_, When::Dotted) => vec![("date", written("%d.%m.%Y %H:%M:%S"))],
            (_, When::American) => vec![("date", written("%-m/%-d/%Y %-I:%M:%S %p"))],
            (_, When::Slashes) => vec![("played_at", written("%Y/%m/%d %H:%M:%S"))],
            (_, When::Milliseconds) => vec![("createdAt", (time * 1000).to_string())],
            (_, When::TwoColumns) => vec![("date", written("%Y-%m-%d")), ("time", written("%H:%M:%S"))],
        }
    }

    /// The cells of the outcome of a match, with their names.
    fn outcome(&self, game: &Played) -> Vec<(&'static str, String)> {
        let is_forfeit = game.is_forfeit && self.has_forfeits;
        let side = |texts: [&str; 3]| texts[2 - game.twice as usize].to_owned();
        if self.layout == Layout::Pgn {
            let result = if is_forfeit {
                "*".to_owned()
            } else {
                side(["1-0", "1/2-1/2", "0-1"])
            };
            return vec![("Result", result)];
        }
        let forfeit = |text: String| if is_forfeit { "W/O".to_owned() } else { text };
        match self.told {
            Told::Scores if self.has_forfeits => {
                let score = |score: u32| {
                    if is_forfeit {
                        String::new()
                    } else {
                        score.to_string()
                    }
                };
                vec![
                    ("score1", score(game.scores[0])),
                    ("score2", score(game.scores[1])),
                ]
            }
            Told::Scores => {
                vec![
                    ("score1", game.scores[0].to_string()),
                    ("score2", game.scores[1].to_string()),
                ]
            }
            Told::Result => vec![("result", forfeit(side(["1", "0.5", "0"])))],
            Told::Decimal => vec![("result", forfeit(side(["1,0", "0,5", "0,0"])))],
            Told::Winner => {
                let winner = side([&game.players[0], "draw", &game.players[1]]);
                let mut cells = vec![("winner", winner)];
                if self.has_forfeits {
                    cells.push(("score", forfeit(format!("{}-{}", game.scores[0], game.scores[1]))));
                }
                cells
            }
            Told::Sides => vec![("result", forfeit(side(["A", "draw", "B"])))],
            Told::Books => vec![(
                "result",
                forfeit(side(["1\u{2013}0", "\u{bd}\u{2013}\u{bd}", "0\u{2013}1"])),
            )],
        }
    }

    fn text(&self, games: &[Played]) -> String {
        match self.layout {
            Layout::Wide => self.table(
                games
                    .iter()
                    .enumerate()
                    .map(|(place, game)| vec![self.row(place, game)]),
            ),
            Layout::Long => self.table(
                games
                    .iter()
                    .enumerate()
                    .map(|(place, game)| self.rows(place, game)),
            ),
            Layout::JsonLines => self.lines(games.iter().map(|game| object(self.fields(game)))),
            Layout::Wrapped => {
                let games: Vec<String> = games.iter().map(|game| object(self.fields(game))).collect();
                let next = format!(",{}", self.line_end);
                format!(
                    "{{\"page\": 1, \"data\": {{\"matches\": [{}]}}}}",
                    games.join(&next)
                )
            }
            Layout::Nested => self.lines(games.iter().map(|game| {
                let mut fields = self.fields(game);
                fields.retain(|(name, _)| !name.starts_with("player"));
                let player = |place: usize| {
                    format!(
                        "{{\"user\": {{\"name\": \"{}\"}}, \"rating\": 1500}}",
                        game.players[place]
                    )
                };
                let players = format!(
                    "\"players\": {{\"white\": {}, \"black\": {}}}",
                    player(0),
                    player(1)
                );
                object(fields).replacen('{', &format!("{{{players}, "), 1)
            })),
            Layout::Pgn => {
                let mut text = String::new();
                for game in games {
                    let names = ["White", "Black"].into_iter().zip(&game.players);
                    let tags = names.map(|(tag, name)| (tag, name.clone()));
                    for (tag, value) in tags.chain(self.times(game.time)).chain(self.outcome(game)) {
                        write!(text, "[{tag} \"{value}\"]{}", self.line_end).unwrap();
                    }
                    let end = &self.outcome(game)[0].1;
                    write!(text, "{0}1. e4 {{ [%eval 0.2] }} e5 {end}{0}{0}", self.line_end).unwrap();
                }
                text
            }
        }
    }

    fn fields(&self, game: &Played) -> Vec<(&'static str, String)> {
        let mut fields = self.times(game.time);
        fields.extend(["player1", "player2"].into_iter().zip(game.players.clone()));
        fields.extend(self.outcome(game));
        fields
    }

    fn row(&self, place: usize, game: &Played) -> Vec<(&'static str, String)> {
        let mut row = self.fields(game);
        if self.has_ids {
            row.insert(0, ("match_id", format!("m{place}")));
        }
        if self.more_columns {
            row.push(("venue", "somewhere, or other".to_owned()));
        }
        row
    }

    /// A row for each player.
    fn rows(&self, place: usize, game: &Played) -> Vec<Vec<(&'static str, String)>> {
        let is_forfeit = game.is_forfeit && self.has_forfeits;
        let row = |side: usize| {
            let mut row = vec![("match_id", format!("m{place}"))];
            row.extend(self.times(game.time));
            row.push(("player", game.players[side].clone()));
            let twice = if side == 0 { game.twice } else { 2 - game.twice } as usize;
            let result = match self.told {
                Told::Decimal => ["0,0", "0,5", "1,0"][twice],
                Told::Books => ["0", "\u{bd}", "1"][twice],
                _ => ["loss", "draw", "win"][twice],
            };
            row.push((
                "result",
                if is_forfeit {
                    "W/O".to_owned()
                } else {
                    result.to_owned()
                },
            ));
            row
        };
        vec![row(0), row(1)]
    }

    fn table(&self, games: impl Iterator<Item = Vec<Vec<(&'static str, String)>>>) -> String {
        let rows: Vec<Vec<(&'static str, String)>> = games.flatten().collect();
        let cell = |text: &str| {
            let is_special = text.contains([self.separator, '"']);
            if self.quotes || is_special {
                format!("\"{text}\"")
            } else {
                text.to_owned()
            }
        };
        let line = |cells: Vec<String>| cells.join(&self.separator.to_string());
        let name = |name: &str| {
            if self.capitals {
                name.to_uppercase()
            } else {
                name.to_owned()
            }
        };
        let header = line(rows[0].iter().map(|(column, _)| name(column)).collect());
        let lines = rows
            .iter()
            .map(|row| line(row.iter().map(|(_, text)| cell(text)).collect()));
        let first = self.says_separator.then(|| "sep=;".to_owned());
        self.lines(first.into_iter().chain([header]).chain(lines))
    }

    fn lines(&self, lines: impl Iterator<Item = String>) -> String {
        let mut text = String::new();
        for (place, line) in lines.enumerate() {
            text += &line;
            text += self.line_end;
            if self.blank_lines && place % 5 == 3 {
                text += self.line_end;
            }
        }
        text
    }

    fn bytes(&self, games: &[Played]) -> Vec<u8> {
        let mut text = self.text(games);
        if self.mark || self.utf16 {
            text.insert(0, '\u{feff}');
        }
        let bytes = if self.utf16 {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        } else {
            text.into_bytes()
        };
        if !self.packed {
            return bytes;
        }
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packer, &bytes).unwrap();
        packer.finish().unwrap()
    }
}

fn object(fields: Vec<(&'static str, String)>) -> String {
    let fields = fields.into_iter().map(|(name, value)| match name {
        "score1" | "score2" | "createdAt" if value.is_empty() => format!("{name:?}: null"),
        "score1" | "score2" | "createdAt" => format!("{name:?}: {value}"),
        _ => format!("{name:?}: \"{value}\""),
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

/// Time, names, and twice the score of the first.
type Game = (i64, [String; 2], u32);

fn read(bytes: Vec<u8>) -> Result<Vec<Game>, ImportError> {
    let options = MatchOptions::default();
    let mut matches = Matches::open(Input::new("export", std::io::Cursor::new(bytes)), &options)?;
    let mut games = Vec::new();
    for game in &mut matches {
        let game = game?;
        let places: Vec<u32> = game.sides().map(|side| side.place).collect();
        let names: Vec<String> = game.names().map(str::to_owned).collect();
        games.push((
            game.time(),
            [names[0].clone(), names[1].clone()],
            1 + places[1] - places[0],
        ));
    }
    let names: Vec<String> = games.iter().flat_map(|game| game.1.clone()).collect();
    matches.report(names.iter().map(String::as_str))?;
    Ok(games)
}

/// What was meant.
fn meant(export: &Export, games: &[Played]) -> Vec<Game> {
    let kept = games
        .iter()
        .filter(|game| !(game.is_forfeit && export.has_forfeits));
    let name = |name: &str| name.replace("e\u{301}", "é").replace("e\u{308}", "ë");
    kept.map(|game| {
        (
            game.time,
            game.players.each_ref().map(|one| name(one)),
            game.twice,
        )
    })
    .collect()
}

/// Exports with each of them and with any two, in which the one is not undone by the other.
fn pairs() -> Vec<(String, Export)> {
    let mut all = Vec::new();
    for (place, (name, first)) in PECULIARITIES.iter().enumerate() {
        let mut alone = Export::new();
        first(&mut alone);
        all.push(((*name).to_owned(), alone));
        for (other, second) in &PECULIARITIES[place + 1..] {
            let mut export = Export::new();
            first(&mut export);
            second(&mut export);
            all.push((format!("{name} with {other}"), export));
        }
    }
    all
}

#[test]
fn files_with_any_two_peculiarities_are_read_as_they_were_meant() {
    let few = played(60);
    // Under --deep each peculiarity alone has 200,000 rows.
    let is_deep = std::env::var_os("MATCHWRIGHT_DEEP").is_some();
    let many = is_deep.then(|| played(200_000));
    let pairs = pairs();
    assert!(pairs.len() >= 200);
    let mut wrong = Vec::new();
    for (name, export) in pairs {
        let games = many.as_ref().filter(|_| !name.contains(" with "));
        let games = games.unwrap_or(&few);
        match read(export.bytes(games)) {
            Ok(read) if read == meant(&export, games) => {}
            Ok(read) => {
                let meant = meant(&export, games);
                let first = read.iter().zip(&meant).find(|(read, meant)| read != meant);
                wrong.push(format!(
                    "{name}: {} of {} games, {first:?}",
                    read.len(),
                    meant.len()
                ));
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} were read otherwise:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
