//! The client against a server that errs.

use std::time::Instant;

use matchwright_client::{Client, ClientError, Left, NewTicket, Retries, Ticket, TicketState};

use crate::common::{Fake, QUICK, SECOND, answer, client, request_id, stream};

/// An event of a ticket.
fn waits(version: u64) -> String {
    format!(r#"data:{{"id":"t1","players":["ann"],"state":"waiting","version":{version},"new":[]}}"#)
}

#[test]
fn a_stream_goes_on_after_what_was_seen() {
    let left = r#"data: {"id":"t1","players":[],"state":"left","reason":"bored","version":9}"#;
    let later = r#"data: {"id":"t1","players":[],"state":"dreaming","version":7}"#;
    let served = Fake::of([
        stream(&format!(
            "retry: 20\n\nid: 4\nevent: ticket\n{}\n\nevent: ticket\n{}",
            waits(4),
            waits(5)
        )),
        answer("503 Service Unavailable", "retry-after: 0\r\n", ""),
        stream(&format!(
            "event: ticket\n{}\n\nevent: x\ndata: y\n\nevent: ticket\n{}\n\n",
            waits(3),
            waits(4)
        )),
        stream(&format!(
            "event: ticket\n{later}\n\nevent: ticket\n{left}\n\nevent: ticket\n{}\n\n",
            waits(10)
        )),
    ]);
    let mut watch = served.client().watch("t1");
    let states: Vec<Ticket> = watch.by_ref().map(Result::unwrap).collect();
    let versions: Vec<u64> = states.iter().map(|ticket| ticket.version).collect();
    assert_eq!(versions, [4, 7, 9]);
    assert_eq!(states[1].state, TicketState::Unknown);
    assert_eq!(
        states[2].state,
        TicketState::Left {
            reason: Left::Unknown
        }
    );
    assert!(watch.next().is_none());
    let seen = served.seen();
    assert_eq!(seen.len(), 4);
    assert!(!seen[0].contains("last-event-id"));
    assert!(
        seen[1..]
            .iter()
            .all(|request| request.contains("last-event-id: 4\r\n")),
        "{seen:?}"
    );
}

#[test]
fn a_step_that_was_cut_off_comes_again_whole() {
    let event = |id: &str, version| format!("event: ticket\n{id}{}\n\n", waits(version));
    let served = Fake::of([
        stream(&format!("{}{}", event("", 3), event("id: 3\n", 3))),
        // A later service may say at once from where on it tells.
        stream(&format!("id: 5\nretry: 1\n\n{}", event("", 6))),
        stream(&format!(
            "{}{}event: party\nid: 6\ndata: {{}}\n\n",
            event("", 6),
            event("", 6)
        )),
    ]);
    let told: Vec<_> = served
        .client()
        .events(None)
        .take(4)
        .map(|event| event.unwrap().step)
        .collect();
    assert_eq!(told, [None, Some(3), None, Some(6)]);
    let last_seen: Vec<bool> = ["3", "5"]
        .iter()
        .zip(&served.seen()[1..])
        .map(|(step, request)| request.contains(&format!("last-event-id: {step}\r\n")))
        .collect();
    assert_eq!(last_seen, [true, true]);
}

#[test]
fn a_bad_stream_is_an_error_and_no_end() {
    let quick = Retries { times: 2, ..QUICK };
    let watch = |served: &Fake| {
        served
            .client()
            .with_retries(quick)
            .watch("t1")
            .collect::<Vec<_>>()
    };
    let served = Fake::of([stream(&"x".repeat((1 << 20) + 1))]);
    assert!(matches!(&watch(&served)[..], [Err(ClientError::Unreadable(_))]));
    let served = Fake::of([stream("event: ticket\ndata: {}\n\n")]);
    assert!(matches!(&watch(&served)[..], [Err(ClientError::Unreadable(_))]));
    let served = Fake::of([answer("200 OK", "", "hello")]);
    assert!(matches!(&watch(&served)[..], [Err(ClientError::Unreadable(_))]));
    let served = Fake::of([answer("404 Not Found", "", r#"{"type":"unknown"}"#)]);
    assert_eq!(watch(&served)[0].as_ref().unwrap_err().kind(), Some("unknown"));
    // One that ends again and again without a word.
    let served = Fake::of(vec![stream("retry: 1\n\n"); 5]);
    assert!(matches!(
        &watch(&served)[..],
        [Err(ClientError::Connection { tries: 3, .. })]
    ));
    assert_eq!(served.seen().len(), 3);
}

#[test]
fn a_service_that_is_busy_is_asked_again_when_it_says() {
    let busy = answer(
        "429 Too Many Requests",
        "retry-after: 1\r\n",
        r#"{"type":"busy","detail":"later"}"#,
    );
    let ticket = answer("201 Created", "", &waits(1)[5..]);
    let served = Fake::of([busy.clone(), ticket.clone()]);
    let began = Instant::now();
    let patient = Retries {
        longest_wait: 2 * SECOND,
        ..QUICK
    };
    let client = served.client().with_retries(patient).with_token("abc");
    assert_eq!(client.create(&NewTicket::of(["ann"])).unwrap().version, 1);
    assert!(began.elapsed() >= SECOND && began.elapsed() < 3 * SECOND);
    let seen = served.seen();
    assert_eq!(request_id(&seen[0]), request_id(&seen[1]));
    assert!(
        seen.iter()
            .all(|request| request.contains("authorization: Bearer abc\r\n"))
    );

    // It asks for a longer time than there is.
    let served = Fake::of([busy]);
    let error = served.client().create(&NewTicket::of(["ann"])).unwrap_err();
    assert_eq!((error.kind(), served.seen().len()), (Some("busy"), 1));
    assert!(
        error.to_string().starts_with("later (busy, status 429): "),
        "{error}"
    );

    // Never more often than was said.
    let stopped = answer(
        "503 Service Unavailable",
        "",
        r#"{"type":"stopped","detail":"gone","status":503,"by":"us"}"#,
    );
    for times in [0, 3] {
        let served = Fake::of(vec![stopped.clone(); 9]);
        let client = served.client().with_retries(Retries { times, ..QUICK });
        let error = client.player("ann").unwrap_err();
        assert_eq!(
            (error.kind(), error.member("by")),
            (Some("stopped"), Some(&"us".into()))
        );
        assert_eq!(served.seen().len(), 1 + times as usize);
    }
    // What is refused for good is asked once.
    for status in [
        "400 Bad Request",
        "404 Not Found",
        "409 Conflict",
        "500 Internal Server Error",
        "302 Found",
    ] {
        let served = Fake::of(vec![answer(status, "location: /x\r\n", r#"{"title":"no"}"#); 2]);
        let error = served.client().started("m1").unwrap_err();
        assert!(
            matches!(&error, ClientError::Problem { kind, detail, .. } if kind == "about:blank" && detail == "no")
        );
        assert_eq!(served.seen().len(), 1);
    }
}

#[test]
fn an_answer_that_does_not_come_is_asked_for_again() {
    let page = answer("502 Bad Gateway", "", "<h1>upstream</h1>");
    let half = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\nconnection: close\r\n\r\n{\"id\"".to_owned();
    let to_the_end = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"id\"".to_owned();
    let chunk = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{\"id".to_owned();
    let ticket = answer("200 OK", "", &waits(1)[5..]);
    let served = Fake::of([
        page.clone(),
        half,
        to_the_end,
        chunk,
        "HTT".to_owned(),
        String::new(),
        ticket,
    ]);
    assert_eq!(served.client().ticket("t1").unwrap().version, 1);
    let quick = Retries { times: 1, ..QUICK };
    let served = Fake::of(vec![page; 2]);
    let error = served.client().with_retries(quick).ticket("t1").unwrap_err();
    assert!(
        matches!(&error, ClientError::Unreadable(why) if why.contains("status 502") && why.contains("<h1>"))
    );
    let served = Fake::of([answer("200 OK", "", "[]")]);
    assert!(matches!(
        served.client().ticket("t1"),
        Err(ClientError::Unreadable(_))
    ));

    // Nobody answers, or nobody is there.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let waiting = client(silent.local_addr().unwrap()).with_retries(quick);
    let began = Instant::now();
    let error = waiting
        .with_timeout(SECOND / 5)
        .create(&NewTicket::of(["ann"]))
        .unwrap_err();
    let ClientError::Connection {
        tries: 2,
        request_id: Some(id),
        ..
    } = &error
    else {
        panic!("{error:?}")
    };
    assert!(error.to_string().contains(&format!("`create_as` with `{id}`")));
    assert!(began.elapsed() >= SECOND / 3 && began.elapsed() < 3 * SECOND);
    let gone = silent.local_addr().unwrap();
    drop(silent);
    let error = client(gone).with_retries(quick).ticket("t1").unwrap_err();
    assert!(matches!(
        error,
        ClientError::Connection {
            tries: 2,
            request_id: None,
            ..
        }
    ));

    // What cannot be sent is not tried again.
    let slow = Retries {
        times: 9,
        first_wait: 9 * SECOND,
        longest_wait: 9 * SECOND,
    };
    for client in [
        Client::new("127.0.0.1:1"),
        Client::new("http://127.0.0.1:1").with_token("a\nb"),
        Client::new("no/"),
    ] {
        let error = client.with_retries(slow).ticket("t1").unwrap_err();
        assert!(matches!(error, ClientError::Unsendable(_)), "{error:?}");
    }
}
