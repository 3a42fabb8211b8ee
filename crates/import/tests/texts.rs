//! Texts as programs store them: other encodings than UTF-8, and what stands between the fields said in a first line.

use matchwright_import::MatchOptions;
#[cfg(feature = "encodings")]
use matchwright_import::{Input, Matches};

use crate::matches::all;
#[cfg(feature = "encodings")]
use crate::matches::told;

#[cfg(feature = "encodings")]
#[test]
fn utf_16_is_known_by_its_mark_and_other_encodings_are_named() {
    let text = "\u{feff}time,player1,player2,result\n2024-05-01,José,bob,1\n";
    let wanted = all(&text[3..], &MatchOptions::default()).unwrap();
    let open = |bytes: Vec<u8>, encoding: &str| {
        let input = Input::new("text", std::io::Cursor::new(bytes)).with_encoding(encoding);
        Matches::open(input, &MatchOptions::default())
    };
    for bytes in [
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>(),
        text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    ] {
        let mut matches = Matches::open(
            Input::new("text", std::io::Cursor::new(bytes)),
            &MatchOptions::default(),
        )
        .unwrap();
        let read: Vec<_> = matches.by_ref().map(|game| told(&game.unwrap())).collect();
        assert_eq!(read, wanted);
        let notes = matches.report(["José", "bob"].into_iter()).unwrap().notes;
        assert!(
            notes.iter().any(|note| note.starts_with("the text is UTF-16")),
            "{notes:?}"
        );
    }
    let latin: Vec<u8> = text
        .chars()
        .skip(1)
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let read = |encoding| {
        open(latin.clone(), encoding)
            .unwrap()
            .map(|game| game.map(|game| told(&game)))
    };
    assert_eq!(read("latin1").collect::<Result<Vec<_>, _>>().unwrap(), wanted);
    let what = read("utf-8").next().unwrap().unwrap_err().to_string();
    assert!(
        what.starts_with("text:2:") && what.contains("--encoding latin1"),
        "{what}"
    );
    // What is no character ends the text, wherever it stands.
    let bad = [
        text.chars()
            .skip(1)
            .collect::<String>()
            .replace("José", "Jos")
            .into_bytes(),
        b"2024-05-02,Jos\xe9,bob,1\n".to_vec(),
    ]
    .concat();
    let read_bad = open(bad, "shift_jis")
        .unwrap()
        .map(|game| game.map(|game| told(&game)));
    let what = read_bad.collect::<Result<Vec<_>, _>>().unwrap_err().to_string();
    assert!(what.contains("no Shift_JIS"), "{what}");
    let what = open(latin.clone(), "latin9000").err().unwrap().to_string();
    assert!(what.contains("latin9000"), "{what}");
}

#[test]
fn spreadsheets_say_what_stands_between_fields() {
    let plain = "time,player1,player2,result\n2024-05-01,ann,bob,1\n";
    let wanted = all(plain, &MatchOptions::default()).unwrap();
    for (first, separator) in [
        ("sep=;", ";"),
        ("sep=,", ","),
        ("SEP=|", "|"),
        ("\"sep=\t\"", "\t"),
    ] {
        for end in ["\n", "\r\n"] {
            let text = format!("{first}{end}") + &plain.replace(',', separator).replace('\n', end);
            assert_eq!(all(&text, &MatchOptions::default()).unwrap(), wanted, "{text:?}");
        }
    }
    let what = all(
        "sep=;\ntime;player1;player2;result\nx;ann;bob;1\n",
        &MatchOptions::default(),
    );
    assert!(what.unwrap_err().to_string().starts_with("text:3:1:"));
}
