//! Files of keys that are refused.

use super::*;

#[test]
fn refuses_each_bad_jwks_by_name() {
    let key = |jwk: Value| json!({"keys": [ED.jwk, jwk]}).to_string();
    let renamed = |jwk: &Value| with(jwk.clone(), "kid", "k2");
    let (ed, ec, rsa) = (renamed(&ED.jwk), renamed(&EC.jwk), renamed(&RSA.jwk));
    let number = |bytes: &[u8]| json!(B64.encode(bytes));
    let mut table: Vec<(String, KeysError)> = vec![
        (String::new(), NotJwks(1, 0)),
        ("{}".to_owned(), NotJwks(1, 2)),
        (ED.jwk.to_string(), NotJwks(1, ED.jwk.to_string().len())),
        ("{\"keys\":\n[\"s3cret\"]}".to_owned(), NotJwks(2, 9)),
        (r#"{"keys": []}"#.to_owned(), Empty),
        (key(json!({"kty": "oct", "kid": "k2", "k": "AAAA"})), Symmetric(2)),
        (key(with(ed.clone(), "k", "AAAA")), Private(2)),
        (key(without(ed.clone(), "kid")), NoKid(2)),
        (key(with(ed.clone(), "kid", "a\nb")), NoKid(2)),
        (key(ED.jwk.clone()), Duplicate(2)),
        (key(with(ed.clone(), "use", "enc")), NotForSignatures(2)),
        (key(with(ed.clone(), "use", Value::Null)), NotForSignatures(2)),
        (
            key(with(ed.clone(), "key_ops", json!(["sign"]))),
            NotForSignatures(2),
        ),
        (key(json!({"kid": "k2"})), Unsupported(2)),
        (key(with(ed.clone(), "crv", "X25519")), Unsupported(2)),
        (key(with(ed.clone(), "crv", "Ed448")), Unsupported(2)),
        (key(with(ed.clone(), "kty", "EC")), Unsupported(2)),
        (key(with(ec.clone(), "crv", "P-384")), Unsupported(2)),
        (key(with(ec.clone(), "crv", "secp256k1")), Unsupported(2)),
        (key(with(ec.clone(), "alg", "EdDSA")), Unsupported(2)),
        (key(with(rsa.clone(), "alg", "HS256")), Unsupported(2)),
        (key(with(rsa.clone(), "alg", "PS256")), Unsupported(2)),
        (key(with(rsa.clone(), "alg", "none")), Unsupported(2)),
        (key(with(rsa.clone(), "alg", Value::Null)), Unsupported(2)),
        (key(with(rsa.clone(), "n", number(&[0xff; 128]))), RsaSize(2)),
        (key(with(rsa.clone(), "n", number(&[0x7f; 256]))), RsaSize(2)),
        (key(with(rsa.clone(), "n", number(&[0xff; 513]))), RsaSize(2)),
        (key(with(rsa.clone(), "n", "")), RsaSize(2)),
        (key(without(rsa.clone(), "n")), RsaSize(2)),
        (key(with(rsa.clone(), "n", number(&[0xfe; 256]))), Broken(2)),
        (key(with(rsa.clone(), "n", "@")), Broken(2)),
    ];
    table.push((
        key(with(rsa.clone(), "n", number(&[&[0][..], &[0xff; 256]].concat()))),
        RsaSize(2),
    ));
    for member in ["d", "p", "q", "dp", "dq", "qi", "oth"] {
        table.push((key(with(rsa.clone(), member, "AAAA")), Private(2)));
    }
    for e in [
        &[][..],
        &[0],
        &[1],
        &[2],
        &[0, 1],
        &[0, 1, 0, 1],
        &[1, 0, 0, 0, 1],
    ] {
        table.push((key(with(rsa.clone(), "e", number(e))), Broken(2)));
    }
    let bytes = |of: &Signer, member: &str| B64.decode(of.jwk[member].as_str().unwrap()).unwrap();
    for x in [
        number(&bytes(&ED, "x")[..31]),
        number(&[&bytes(&ED, "x")[..], &[0]].concat()),
        json!("AAAA"),
        json!(""),
        json!(5),
        json!(format!("{}=", ED.jwk["x"].as_str().unwrap())),
        // Spare bits that are not zero.
        json!(format!("{}J", &B64.encode([2; 32])[..42])),
        // Points of order 4, 1 and 2, then none of the curve.
        number(&[0; 32]),
        number(&[&[1][..], &[0; 31]].concat()),
        number(&[&[0xec][..], &[0xff; 30], &[0x7f]].concat()),
        number(&[&[2][..], &[0; 15], &[1], &[0; 15]].concat()),
    ] {
        table.push((key(with(ed.clone(), "x", x)), Broken(2)));
    }
    let point = [bytes(&EC, "x"), bytes(&EC, "y")].concat();
    for (x, y) in [
        // The library would join these to the right point.
        (number(&point[..31]), number(&point[31..])),
        (number(&point[..32]), number(&[&point[32..], &[0]].concat())),
        (number(&point[..32]), number(&point[32..63])),
        (ec["x"].clone(), ec["x"].clone()),
        (ec["x"].clone(), Value::Null),
        (number(&[0; 32]), number(&[0; 32])),
    ] {
        table.push((key(with(with(ec.clone(), "x", x), "y", y)), Broken(2)));
    }
    for (text, expected) in table {
        let error = Keys::from_jwks(&text, rules()).unwrap_err();
        assert_eq!(error, expected, "{text}");
        assert!(!error.to_string().contains("s3cret"));
    }
    let marked = with(with(rsa, "use", "sig"), "key_ops", json!(["verify"]));
    for jwk in [without(marked, "alg"), without(ec, "alg"), without(ed, "alg")] {
        assert!(Keys::from_jwks(&key(jwk), rules()).unwrap().has("k2"));
    }
}
