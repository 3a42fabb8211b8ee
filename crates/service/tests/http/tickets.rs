//! What players do, and see.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{Client, TEAMS, event};
use crate::handle::{ACCEPT, DUEL};

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
