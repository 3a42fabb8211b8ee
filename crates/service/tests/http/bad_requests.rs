//! What is refused.

use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::Client;
use crate::handle::DUEL;

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
