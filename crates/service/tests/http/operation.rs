//! What those do and see who run it.

use axum::body::Body;
use axum::http::StatusCode;
use http_body_util::BodyExt;
use matchwright_queue::live::Memory;
use matchwright_service::http::{HttpSettings, openapi, router};
use serde_json::{Value, json};

use super::{Client, TEAMS, event};
use crate::handle::{DUEL, open};

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
