//! The calls over HTTP, without a network: as a client sends them, and what it gets.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use matchwright_queue::live::Memory;
use matchwright_service::http::{HttpSettings, openapi, router};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::handle::{ACCEPT, DUEL, open};

const TEAMS: &str = "[queue]\nteams = [2, 2]\n[[queue.windows]]\nof = 'rating'\nstart = 2000";

/// A client of a service that is served in this process.
pub(crate) struct Client(pub(crate) Router);

impl Client {
    fn of(policy: &str) -> Self {
        Self(router(open(&Memory::default(), policy), HttpSettings::default()))
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        body: impl Into<Body>,
        headers: &[(&str, &str)],
    ) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.0
            .clone()
            .oneshot(request.body(body.into()).unwrap())
            .await
            .unwrap()
    }

    /// The status and the JSON of an answer.
    pub(crate) async fn call(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        let response = self.send(method, path, body, &[]).await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    pub(crate) async fn text(&self, path: &str) -> String {
        let response = self.send("GET", path, Body::empty(), &[]).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        String::from_utf8(bytes.into()).unwrap()
    }

    /// A ticket of these players: its id.
    async fn create(&self, players: &[&str]) -> String {
        let (status, ticket) = self
            .call("POST", "/v1/tickets", json!({ "players": players }))
            .await;
        assert_eq!(status, 201, "{ticket}");
        ticket["id"].as_str().unwrap().to_owned()
    }

    /// Both meet: the match's id.
    async fn meet(&self, one: &str, other: &str) -> String {
        self.create(&[one]).await;
        let ticket = self.create(&[other]).await;
        let (_, ticket) = self
            .call("GET", &format!("/v1/tickets/{ticket}"), Value::Null)
            .await;
        ticket["match"].as_str().unwrap().to_owned()
    }
}

/// The next event of a stream: its name, its id and its data.
async fn event(body: &mut Body) -> Option<(String, Option<u64>, Value)> {
    loop {
        let frame = tokio::time::timeout(Duration::from_secs(10), body.frame())
            .await
            .unwrap()?;
        let text = String::from_utf8(frame.unwrap().into_data().unwrap().into()).unwrap();
        let field = |name: &str| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            line.map(str::to_owned)
        };
        if let (Some(name), Some(data)) = (field("event"), field("data")) {
            let id = field("id").map(|id| id.parse().unwrap());
            return Some((name, id, serde_json::from_str(&data).unwrap()));
        }
        assert!(text.contains("retry: ") || text.starts_with(':'), "{text}");
    }
}

#[tokio::test]
async fn the_loop_from_a_ticket_to_a_rating() {
    let client = Client::of(DUEL);
    let ann = client.create(&["ann"]).await;
    let again = json!({ "players": [{ "id": "bob", "attributes": { "rating": 9000 } }], "request_id": "1" });
    let (status, bob) = client.call("POST", "/v1/tickets", again.clone()).await;
    assert_eq!(
        (status, &bob["state"], &bob["is_retry_safe"]),
        (201, &json!("matched"), &json!(true))
    );
    let (status, same) = client.call("POST", "/v1/tickets", again).await;
    assert_eq!((status, &same["id"]), (200, &bob["id"]));
    let other = json!({ "players": ["cyd"], "request_id": "1" });
    let (status, reused) = client.call("POST", "/v1/tickets", other).await;
    assert_eq!(
        (status, &reused["type"], &reused["ticket"]),
        (409, &json!("request-id-reused"), &bob["id"])
    );

    let found = bob["match"].as_str().unwrap();
    let (_, ticket) = client.call("GET", "/v1/players/ann/ticket", Value::Null).await;
    assert_eq!((&ticket["id"], &ticket["match"]), (&json!(ann), &bob["match"]));
    let path = |what: &str| format!("/v1/matches/{found}{what}");
    let (_, assigned) = client
        .call("POST", &path("/assign"), json!({ "connection": "eu1:7777" }))
        .await;
    assert_eq!(assigned["phase"], "assigned");
    let (_, ticket) = client
        .call("GET", &format!("/v1/tickets/{ann}"), Value::Null)
        .await;
    assert_eq!(ticket["connection"], "eu1:7777");
    assert_eq!(
        client.call("POST", &path("/started"), Value::Null).await.1["phase"],
        "started"
    );
    let (status, again) = client
        .call("POST", &path("/assign"), json!({ "connection": "eu1:7777" }))
        .await;
    assert_eq!((status, &again["phase"]), (200, &json!("started")));
    let (status, busy) = client
        .call("POST", "/v1/tickets", json!({ "players": ["ann"] }))
        .await;
    assert_eq!(
        (status, &busy["type"], &busy["match"]),
        (409, &json!("player-plays"), &json!(found))
    );
    let (status, ended) = client
        .call("POST", &path("/result"), json!({ "scores": [3, 1] }))
        .await;
    assert_eq!((status, &ended["places"]), (200, &json!([1, 2])));
    // The same again changes nothing, another is refused.
    assert_eq!(
        client
            .call("POST", &path("/result"), json!({ "places": [1, 2] }))
            .await
            .0,
        200
    );
    let (status, differs) = client
        .call("POST", &path("/result"), json!({ "places": [2, 1] }))
        .await;
    assert_eq!((status, &differs["type"]), (409, &json!("result-differs")));
    let rating = |player: Value| player["rated"]["rating"].as_f64().unwrap();
    let (_, ann) = client.call("GET", "/v1/players/ann", Value::Null).await;
    // Glicko-2 of two newcomers: what the client said of bob counts for nothing.
    assert!((rating(ann) - 1662.3).abs() < 0.1);
    assert_eq!(
        client.call("POST", &path("/retract"), Value::Null).await.1["is_retracted"],
        true
    );
    let (_, ann) = client.call("GET", "/v1/players/ann", Value::Null).await;
    assert_eq!(rating(ann), 1500.0);
}

#[tokio::test]
async fn a_ticket_is_watched_by_events_and_by_waiting() {
    let client = Client::of(DUEL);
    let ann = client.create(&["ann"]).await;
    let path = format!("/v1/tickets/{ann}/events");
    let mut events = client.send("GET", &path, Body::empty(), &[]).await.into_body();
    let (name, first, ticket) = event(&mut events).await.unwrap();
    assert_eq!((name.as_str(), &ticket["state"]), ("ticket", &json!("waiting")));
    let waiter = client.0.clone();
    let request = Request::get(format!("/v1/tickets/{ann}?wait=30"))
        .body(Body::empty())
        .unwrap();
    let waiting = tokio::spawn(async move { waiter.oneshot(request).await.unwrap() });
    // Nothing happens, and a wait of no time gives what is.
    let (status, ticket) = client
        .call("GET", &format!("/v1/tickets/{ann}?wait=0"), Value::Null)
        .await;
    assert_eq!((status, &ticket["state"]), (200, &json!("waiting")));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!waiting.is_finished());
    client.create(&["bob"]).await;
    let (_, second, ticket) = event(&mut events).await.unwrap();
    assert!(second > first && ticket["state"] == "matched");
    let told = waiting
        .await
        .unwrap()
        .into_body()
        .collect()
        .await
        .unwrap()
        .to_bytes();
    assert_eq!(serde_json::from_slice::<Value>(&told).unwrap(), ticket);
    // A version that is past is answered at once.
    let path = format!("/v1/tickets/{ann}?wait=30&version={}", first.unwrap());
    assert_eq!(client.call("GET", &path, Value::Null).await.1, ticket);
    let found = ticket["match"].as_str().unwrap();
    client
        .call(
            "POST",
            &format!("/v1/matches/{found}/result"),
            json!({ "places": [1, 2] }),
        )
        .await;
    let (_, _, ended) = event(&mut events).await.unwrap();
    assert_eq!(ended["phase"], "ended");
    // It is over, and so is the stream; who comes later is told the end alone.
    assert_eq!(event(&mut events).await, None);
    let path = format!("/v1/tickets/{ann}/events");
    let mut events = client
        .send("GET", &path, Body::empty(), &[("last-event-id", "1")])
        .await
        .into_body();
    assert_eq!(event(&mut events).await.unwrap().2, ended);
    assert_eq!(event(&mut events).await, None);
    let seen = ended["version"].to_string();
    let over = client
        .send("GET", &path, Body::empty(), &[("last-event-id", &seen)])
        .await;
    assert_eq!(over.status(), StatusCode::NO_CONTENT);
    let (status, _) = client.call("GET", "/v1/tickets/t000/events", Value::Null).await;
    assert_eq!(status, 404);
    assert_eq!(
        client
            .send("GET", &path, Body::empty(), &[("last-event-id", "x")])
            .await
            .status(),
        400
    );
}

#[tokio::test]
async fn a_backend_sees_all_and_goes_on_where_it_was() {
    let client = Client::of(DUEL);
    let ann = client.create(&["ann"]).await;
    let mut events = client
        .send("GET", "/v1/events?after=0", Body::empty(), &[])
        .await
        .into_body();
    let (name, seen, ticket) = event(&mut events).await.unwrap();
    assert_eq!((name.as_str(), &ticket["id"]), ("ticket", &json!(ann)));
    client.create(&["bob"]).await;
    // Two tickets and a match of one step: the number is that of the last.
    let mut told = Vec::new();
    for _ in 0..3 {
        told.push(event(&mut events).await.unwrap());
    }
    let ids: Vec<_> = told.iter().map(|(_, id, _)| *id).collect();
    assert!(ids[0].is_none() && ids[1].is_none() && ids[2] > seen, "{ids:?}");
    assert_eq!(
        (told[2].0.as_str(), &told[2].2["teams"]),
        ("match", &json!([["ann"], ["bob"]]))
    );
    drop(events);
    // While nobody watched, the match got a server: who comes again is told that alone.
    let found = told[2].2["id"].as_str().unwrap();
    client
        .call(
            "POST",
            &format!("/v1/matches/{found}/assign"),
            json!({ "connection": "eu1:1" }),
        )
        .await;
    let last = ids[2].unwrap().to_string();
    let mut events = client
        .send("GET", "/v1/events", Body::empty(), &[("last-event-id", &last)])
        .await
        .into_body();
    let mut phases = Vec::new();
    for _ in 0..3 {
        phases.push(event(&mut events).await.unwrap().2["phase"].clone());
    }
    assert_eq!(phases, ["assigned"; 3]);
    let (_, matches) = client
        .call("GET", "/v1/matches?state=assigned", Value::Null)
        .await;
    assert_eq!(matches.as_array().unwrap().len(), 1);
    let (_, tickets) = client
        .call(
            "GET",
            &format!("/v1/tickets?state=matched&after={ann}&limit=1"),
            Value::Null,
        )
        .await;
    assert_eq!(tickets[0]["players"], json!(["bob"]));
    let (status, refused) = client.call("GET", "/v1/tickets?state=gone", Value::Null).await;
    assert_eq!(status, 400, "{refused}");
}

#[tokio::test]
async fn a_party_gathers_and_plays_as_one() {
    let client = Client::of(TEAMS);
    let party = json!({ "players": ["ann"], "joining": ["bob"] });
    let (status, ticket) = client.call("POST", "/v1/tickets", party).await;
    assert_eq!(
        (status, &ticket["state"], &ticket["missing"]),
        (201, &json!("gathering"), &json!(["bob"]))
    );
    let id = ticket["id"].as_str().unwrap();
    let join = format!("/v1/tickets/{id}/join");
    // Who is not meant does not even learn of it.
    assert_eq!(
        client.call("POST", &join, json!({ "player": "eve" })).await.0,
        404
    );
    assert_eq!(
        client
            .call("POST", "/v1/tickets", json!({ "players": ["ann"] }))
            .await
            .1["type"],
        "player-waits"
    );
    let (status, ticket) = client.call("POST", &join, json!({ "player": "bob" })).await;
    assert_eq!((status, &ticket["state"]), (200, &json!("waiting")));
    assert_eq!(
        client.call("POST", &join, json!({ "player": "bob" })).await.0,
        200
    );
    let other = client.create(&["cyd", "dot"]).await;
    let (_, ticket) = client
        .call("GET", &format!("/v1/tickets/{other}"), Value::Null)
        .await;
    let found = ticket["match"].as_str().unwrap();
    let (_, found_match) = client
        .call("GET", &format!("/v1/matches/{found}"), Value::Null)
        .await;
    assert_eq!(found_match["teams"], json!([["ann", "bob"], ["cyd", "dot"]]));
    // One leaves before it starts: its party goes, the others wait again, and it must wait to queue.
    let leave = format!("/v1/matches/{found}/leave");
    assert_eq!(
        client.call("POST", &leave, json!({ "player": "eve" })).await.0,
        404
    );
    let (status, failed) = client.call("POST", &leave, json!({ "player": "bob" })).await;
    assert_eq!((status, &failed["phase"]), (200, &json!("failed")));
    let (_, left) = client
        .call("GET", &format!("/v1/tickets/{id}"), Value::Null)
        .await;
    assert_eq!(
        (&left["state"], &left["reason"]),
        (&json!("left"), &json!("left-match"))
    );
    let (_, returned) = client
        .call("GET", &format!("/v1/tickets/{other}"), Value::Null)
        .await;
    assert_eq!(returned["state"], "waiting");
    let (status, cooling) = client
        .call("POST", "/v1/tickets", json!({ "players": ["bob"] }))
        .await;
    assert_eq!((status, &cooling["type"]), (423, &json!("cooldown")));
    assert!(cooling["until"].as_i64().unwrap() > 0);
    client.create(&["ann"]).await;
}

#[tokio::test]
async fn players_accept_decline_and_cancel() {
    let client = Client::of(ACCEPT);
    let ann = client.create(&["ann"]).await;
    let bob = client.create(&["bob"]).await;
    let (_, ticket) = client
        .call("GET", &format!("/v1/tickets/{ann}"), Value::Null)
        .await;
    let proposal = ticket["proposal"].as_str().unwrap();
    let path = |what: &str| format!("/v1/proposals/{proposal}/{what}");
    assert_eq!(client.call("POST", &path("accept"), Value::Null).await.0, 400);
    assert_eq!(
        client
            .call("POST", &path("accept"), json!({ "player": "ann" }))
            .await
            .0,
        200
    );
    let (_, ticket) = client
        .call("POST", &path("decline"), json!({ "player": "bob" }))
        .await;
    assert_eq!(
        (&ticket["state"], &ticket["reason"]),
        (&json!("left"), &json!("declined"))
    );
    let (_, ticket) = client
        .call("GET", &format!("/v1/tickets/{ann}"), Value::Null)
        .await;
    assert_eq!(ticket["state"], "waiting");
    // Sent again, as after an answer that was lost.
    for (what, who, field, wanted) in [
        ("decline", "bob", "reason", "declined"),
        ("accept", "ann", "state", "waiting"),
    ] {
        let (status, ticket) = client.call("POST", &path(what), json!({ "player": who })).await;
        assert_eq!((status, &ticket[field]), (200, &json!(wanted)));
    }
    for (what, who) in [("accept", "bob"), ("decline", "ann"), ("accept", "eve")] {
        let (status, _) = client.call("POST", &path(what), json!({ "player": who })).await;
        assert_eq!(status, 404, "{who} {what}");
    }
    let (status, ticket) = client.call("DELETE", "/v1/players/ann/ticket", Value::Null).await;
    assert_eq!((status, &ticket["reason"]), (200, &json!("cancelled")));
    assert_eq!(
        client
            .call("DELETE", &format!("/v1/tickets/{ann}"), Value::Null)
            .await
            .0,
        200
    );
    assert_eq!(
        client
            .call("DELETE", &format!("/v1/tickets/{bob}x"), Value::Null)
            .await
            .0,
        404
    );
    assert_eq!(
        client
            .call("DELETE", "/v1/players/eve/ticket", Value::Null)
            .await
            .0,
        404
    );
}

#[tokio::test]
async fn those_who_run_it_see_and_change_it() {
    let client = Client::of(DUEL);
    let ann = client.create(&["ann"]).await;
    let (_, queues) = client.call("GET", "/v1/queues", Value::Null).await;
    assert_eq!(
        (&queues[0]["tickets"], &queues[0]["status"]),
        (&json!(1), &json!("running"))
    );
    let (status, why) = client
        .call("GET", &format!("/v1/tickets/{ann}/why"), Value::Null)
        .await;
    assert_eq!((status, &why["state"]), (200, &json!("partners")), "{why}");
    // A paused queue makes no match, a draining one takes no ticket.
    assert_eq!(
        client.call("POST", "/v1/queues/-/pause", Value::Null).await.0,
        204
    );
    let bob = client.create(&["bob"]).await;
    let (_, ticket) = client
        .call("GET", &format!("/v1/tickets/{bob}"), Value::Null)
        .await;
    assert_eq!(ticket["state"], "waiting");
    assert_eq!(
        client.call("POST", "/v1/queues/-/resume", Value::Null).await.0,
        204
    );
    let (_, ticket) = client
        .call("GET", &format!("/v1/tickets/{bob}"), Value::Null)
        .await;
    assert_eq!(ticket["state"], "matched");
    assert_eq!(
        client.call("POST", "/v1/queues/-/drain", Value::Null).await.0,
        204
    );
    let (status, refused) = client
        .call("POST", "/v1/tickets", json!({ "players": ["cyd"] }))
        .await;
    assert_eq!((status, &refused["type"]), (422, &json!("draining")));
    assert_eq!(
        client.call("POST", "/v1/queues/-/resume", Value::Null).await.0,
        204
    );
    assert_eq!(
        client.call("POST", "/v1/queues/nope/pause", Value::Null).await.1["type"],
        "unknown-queue"
    );
    assert_eq!(
        client.call("POST", "/v1/queues/-/explode", Value::Null).await.0,
        404
    );

    assert_eq!(client.text("/v1/policy").await, DUEL);
    let new = format!("name = 'wider'\nversion = '2'\n{DUEL}");
    let put = |text: String| client.send("PUT", "/v1/policy", Body::from(text), &[]);
    let check = client
        .send("POST", "/v1/policy/check", Body::from(new.clone()), &[])
        .await;
    assert_eq!(check.status(), StatusCode::OK);
    assert_eq!(client.text("/v1/policy").await, DUEL);
    assert_eq!(put(new.clone()).await.status(), StatusCode::OK);
    assert_eq!(client.text("/v1/policy").await, new);
    client.create(&["cyd"]).await;
    let teams = TEAMS.replace("[2, 2]", "[0, 2]");
    assert_eq!(put(teams).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // Of a policy with other queues those who wait have no place.
    let queues = "[queue.queues.ranked]\nteams = [1, 1]\n[[queue.windows]]\nof = 'rating'\nstart = 100";
    let response = put(queues.to_owned()).await;
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let told = response.into_body().collect().await.unwrap().to_bytes();
    let told: Value = serde_json::from_slice(&told).unwrap();
    assert!(
        ["no-place", "policy"].contains(&told["type"].as_str().unwrap()),
        "{told}"
    );
    assert_eq!(client.text("/v1/policy").await, new);
    let dot = client.create(&["dot"]).await;
    let (_, ticket) = client
        .call("GET", &format!("/v1/tickets/{dot}"), Value::Null)
        .await;
    let found = ticket["match"].as_str().unwrap();
    let (_, found) = client
        .call("GET", &format!("/v1/matches/{found}"), Value::Null)
        .await;
    assert_eq!(found["policy"], json!(["wider", "2"]));

    let (_, stats) = client.call("GET", "/v1/stats", Value::Null).await;
    assert_eq!((&stats["tickets"], &stats["matches"]), (&json!(4), &json!(2)));
    let metrics = client.text("/metrics").await;
    for line in [
        "matchwright_tickets_total 4",
        "matchwright_ready 1",
        "matchwright_waiting_tickets{queue=\"\"} 0",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    assert!(metrics.contains("type=\"draining\""), "{metrics}");
    let page = client.text("/").await;
    assert!(
        page.contains("Matches of the last minute") && !page.contains("<script"),
        "{page}"
    );
    assert_eq!(client.text("/healthz").await, "alive\n");
    assert_eq!(client.text("/readyz").await, "ready\n");
}

#[tokio::test]
async fn an_erased_player_is_known_no_more() {
    let device = Memory::default();
    let service = open(&device, DUEL);
    let client = Client(router(service.clone(), HttpSettings::default()));
    let found = client.meet("ann-of-green-gables", "bob").await;
    let erase = |name: &str| format!("/v1/players/{name}");
    let (status, plays) = client
        .call("DELETE", &erase("ann-of-green-gables"), Value::Null)
        .await;
    assert_eq!((status, &plays["type"]), (409, &json!("player-plays")));
    client
        .call(
            "POST",
            &format!("/v1/matches/{found}/result"),
            json!({ "places": [1, 2] }),
        )
        .await;
    let (_, bob) = client.call("GET", "/v1/players/bob", Value::Null).await;
    assert_eq!(
        client
            .call("DELETE", &erase("ann-of-green-gables"), Value::Null)
            .await
            .0,
        204
    );
    assert_eq!(
        client
            .call("DELETE", &erase("ann-of-green-gables"), Value::Null)
            .await
            .0,
        404
    );
    let (_, gone) = client
        .call("GET", &erase("ann-of-green-gables"), Value::Null)
        .await;
    assert_eq!(
        (&gone["rated"]["games"], &gone["ticket"]),
        (&json!(0), &Value::Null)
    );
    let (_, found) = client
        .call("GET", &format!("/v1/matches/{found}"), Value::Null)
        .await;
    assert_eq!(found["teams"], json!([["(erased)"], ["bob"]]));
    assert_eq!(client.call("GET", "/v1/players/bob", Value::Null).await.1, bob);
    // After a restart as well.
    drop(client);
    service.close();
    let service = open(&device.crashed(), DUEL);
    assert_eq!(
        service
            .player("ann-of-green-gables")
            .wait()
            .unwrap()
            .rated
            .unwrap()
            .games,
        0
    );
    assert!(service.player("bob").wait().unwrap().rated.unwrap().rating < 1400.0);
}

#[tokio::test]
async fn nonsense_is_refused_with_a_problem_document() {
    let client = Client::of(DUEL);
    let long = "x".repeat(129);
    let bodies = [
        (json!({ "players": [] }), 422, "no-players"),
        (json!({ "players": [""] }), 400, "invalid"),
        (json!({ "players": [long] }), 400, "invalid"),
        (json!({ "players": ["a\u{7}"] }), 400, "invalid"),
        (json!({ "players": ["ann", "ann"] }), 400, "invalid"),
        (json!({ "players": vec!["ann"; 65] }), 400, "invalid"),
        (json!({ "players": [7] }), 400, "invalid"),
        (json!({ "players": ["ann"], "queue": "x" }), 400, "invalid"),
        (
            json!({ "players": ["ann"], "queues": ["x"] }),
            422,
            "unknown-queue",
        ),
        (json!({ "players": ["ann"], "expires_in": 0 }), 400, "invalid"),
        (
            json!({ "players": ["ann"], "regions": { "eu": -1 } }),
            400,
            "invalid",
        ),
        (json!({ "players": ["ann"], "request_id": "" }), 400, "invalid"),
        (json!({ "players": ["ann"], "joining": ["ann"] }), 400, "invalid"),
        (json!({ "joining": ["ann"] }), 400, "invalid"),
        (json!({ "players": [["ann"]] }), 400, "invalid"),
        (json!([]), 400, "invalid"),
    ];
    for (body, status, kind) in bodies {
        let (got, document) = client.call("POST", "/v1/tickets", body.clone()).await;
        assert_eq!(
            (got, document["type"].as_str()),
            (status, Some(kind)),
            "{body} {document}"
        );
        assert_eq!(document["status"], status);
        assert!(!document["detail"].as_str().unwrap().is_empty());
    }
    for text in [
        "{",
        "\u{feff}{}",
        r#"{"players":["a"],"players":["b"]}"#,
        "{} {}",
        "nul",
        r#"{"players":["ann"],"attributes":{"x":1,"x":2}}"#,
        r#"{"players":["ann"],"attributes":{"x":1e999}}"#,
        r#"{"players":[{"id":"ann","attributes":{"x":1,"x":1}}]}"#,
    ] {
        let response = client.send("POST", "/v1/tickets", Body::from(text), &[]).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{text}");
        assert_eq!(response.headers()["content-type"], "application/problem+json");
    }
    let response = client
        .send("POST", "/v1/tickets", Body::from(vec![b' '; 26 << 10]), &[])
        .await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    // A policy may be longer, and not for ever.
    for (kilobytes, status) in [(90, 200), (110, 413)] {
        let long = format!("{DUEL}\n# {}", "x".repeat(kilobytes << 10));
        let response = client
            .send("POST", "/v1/policy/check", Body::from(long), &[])
            .await;
        assert_eq!(response.status(), status);
    }
    for (method, path, status) in [
        ("GET", "/v1/nothing", 404),
        ("PATCH", "/v1/tickets", 405),
        ("GET", "/v1/tickets?limits=3", 400),
        ("GET", "/v1/tickets?after=t1", 404),
        ("GET", "/v1/matches/m0", 404),
        ("POST", "/v1/matches/m0/result", 404),
        ("POST", "/v1/proposals/p0/accept", 400),
    ] {
        let (got, document) = client.call(method, path, Value::Null).await;
        assert_eq!(got, status, "{method} {path} {document}");
        assert_eq!(document["status"], status, "{method} {path}");
    }
    assert_eq!(
        client.call("GET", "/v1/queues", Value::Null).await.1[0]["tickets"],
        0
    );
}

#[tokio::test]
async fn a_service_that_has_stopped_is_not_ready() {
    let service = open(&Memory::default(), DUEL);
    let client = Client(router(service.clone(), HttpSettings::default()));
    let ann = client.create(&["ann"]).await;
    let path = format!("/v1/tickets/{ann}/events");
    let mut events = client.send("GET", &path, Body::empty(), &[]).await.into_body();
    event(&mut events).await.unwrap();
    service.close();
    assert_eq!(event(&mut events).await, None);
    let (status, stopped) = client
        .call("POST", "/v1/tickets", json!({ "players": ["bob"] }))
        .await;
    assert_eq!((status, &stopped["type"]), (503, &json!("stopped")));
}

/// The committed document is that of the code: run with `MATCHWRIGHT_WRITE` set to write it anew.
#[test]
fn the_document_of_all_calls_is_the_committed_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    let document = openapi().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("MATCHWRIGHT_WRITE").is_some() {
        std::fs::write(path, &document).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == document,
        "write openapi.json anew"
    );
}
