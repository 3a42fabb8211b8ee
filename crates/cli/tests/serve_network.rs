//! `matchwright serve` with a webhook, and with TLS.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::complaint;
use crate::serve::Served;

/// A program that finds servers, on a thread: it fails at first, and then has one for every match but the second.
fn webhook(secret: &'static [u8]) -> (String, std::sync::mpsc::Receiver<String>) {
    use hmac::{Hmac, KeyInit, Mac};
    use std::io::Write;

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/allocate", listener.local_addr().unwrap());
    let (sender, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut first = String::new();
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut headers = std::collections::BTreeMap::new();
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                match line.trim().split_once(": ") {
                    Some((name, value)) => _ = headers.insert(name.to_lowercase(), value.to_owned()),
                    None if line.trim().is_empty() => break,
                    None => assert!(line.starts_with("POST /allocate "), "{line}"),
                }
            }
            let mut body = vec![0; headers["content-length"].parse().unwrap()];
            reader.read_exact(&mut body).unwrap();
            // As the documents say, computed apart.
            let (time, signed) = headers["matchwright-signature"].split_once(",v1=").unwrap();
            let time = time.strip_prefix("t=").unwrap();
            let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret).unwrap();
            mac.update(format!("{time}.").as_bytes());
            mac.update(&body);
            let wanted: Vec<String> = mac
                .finalize()
                .into_bytes()
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            assert_eq!(signed, wanted.concat());
            let found: Value = serde_json::from_slice(&body).unwrap();
            let id = found["id"].as_str().unwrap().to_owned();
            assert_eq!(headers["idempotency-key"], id);
            if first.is_empty() {
                first.clone_from(&id);
            }
            let (status, answer) = match number {
                0 => ("500 Broken", String::new()),
                _ if id == first => ("200 OK", json!({ "connection": "eu1:1" }).to_string()),
                _ => ("200 OK", "{}".to_owned()),
            };
            let _ = sender.send(id);
            let length = answer.len();
            write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{answer}"
            )
            .unwrap();
        }
    });
    (address, asked)
}

#[test]
fn a_webhook_is_asked_three_times_and_then_the_match_has_failed() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "0123456789abcdef\n").unwrap();
    let (address, asked) = webhook(b"0123456789abcdef");
    let data = folder.path().join("data");
    let served = Served::start(
        &data,
        &[
            "--webhook",
            &address,
            "--webhook-secret",
            secret.to_str().unwrap(),
        ],
    );
    let next = || asked.recv_timeout(Duration::from_secs(60)).unwrap();
    let phase = |found: &str| {
        served
            .call("GET", &format!("/v1/matches/{found}"), &Value::Null)
            .1["phase"]
            .clone()
    };
    let until = |found: &str, wanted: &str| {
        let began = Instant::now();
        while phase(found) != wanted {
            assert!(began.elapsed() < Duration::from_secs(60), "{found} {wanted}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    for player in ["ann", "bob"] {
        served.call("POST", "/v1/tickets", &json!({ "players": [player] }));
    }
    let first = next();
    assert_eq!(next(), first);
    until(&first, "assigned");
    // The answers for the second say nothing: its players wait again, meet again, and are asked for again.
    for player in ["cyd", "dot"] {
        served.call("POST", "/v1/tickets", &json!({ "players": [player] }));
    }
    let second = next();
    assert_eq!([next(), next()], [second.clone(), second.clone()]);
    until(&second, "failed");
    assert_ne!(next(), second);
    served.end("-TERM");
    let short = folder.path().join("short");
    std::fs::write(&short, "secret").unwrap();
    let arguments = [
        "serve",
        "--data",
        data.to_str().unwrap(),
        "--webhook",
        &address,
        "--webhook-secret",
    ];
    let said = complaint(&[&arguments[..], &[short.to_str().unwrap()]].concat(), "", 1);
    assert!(said.contains("give 16 or more"), "{said}");
}

#[test]
fn tls_is_served_with_the_certificate_that_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, own.cert.pem()).unwrap();
    std::fs::write(&key, own.signing_key.serialize_pem()).unwrap();
    let (certificate, key) = (certificate.to_str().unwrap(), key.to_str().unwrap());
    let data = folder.path().join("data");
    let served = Served::start(&data, &["--tls-certificate", certificate, "--tls-key", key]);
    let trusted = ureq::tls::Certificate::from_pem(own.cert.pem().as_bytes()).unwrap();
    let tls = ureq::tls::TlsConfig::builder()
        .root_certs(ureq::tls::RootCerts::new_with_certs(&[trusted]))
        .build();
    let config = ureq::Agent::config_builder().tls_config(tls).build();
    let port = served.address.split(':').next_back().unwrap();
    let url = format!("https://localhost:{port}/healthz");
    let alive = ureq::Agent::new_with_config(config)
        .get(&url)
        .call()
        .unwrap()
        .body_mut()
        .read_to_string();
    assert_eq!(alive.unwrap(), "alive\n");
    // Nobody else's certificate is taken for it, and nothing is told in the clear.
    assert!(ureq::get(&url).call().is_err());
    assert!(served.try_call("GET", "/healthz", &Value::Null).is_none());
    served.end("-TERM");
    let said = complaint(
        &[
            "serve",
            "--data",
            data.to_str().unwrap(),
            "--tls-certificate",
            key,
            "--tls-key",
            key,
        ],
        "",
        1,
    );
    assert!(said.contains("key.pem"), "{said}");
}
