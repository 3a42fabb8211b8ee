//! What a token may say.

use super::*;

#[test]
fn takes_a_token_of_each_algorithm() {
    let claims = json!({
        "iss": "https://id.example", "aud": ["other", "matchmaker"], "exp": NOW + 86_400, "nbf": NOW, "iat": NOW,
        "sub": "eu-1", "role": "server", "match": ["m1", "m2"], "jti": "t1", "more": {"of": ["theirs"]}
    });
    for signer in [&*ED, &*EC, &*RSA] {
        let caller = check(&signer.token(&claims)).unwrap();
        let matches = Some(vec!["m1".to_owned(), "m2".to_owned()]);
        let (subject, token_id) = ("eu-1".to_owned(), Some("t1".to_owned()));
        let expected = Caller {
            role: Role::Server,
            subject,
            matches,
            expires: NOW + 86_400,
            token_id,
        };
        assert_eq!(caller, expected);
        assert!(KEYS.has(signer.kid()));
    }
    assert!(!KEYS.has("other"));
}

#[test]
fn takes_every_role_and_shape_of_claim() {
    for (text, role) in [
        ("player", Role::Player),
        ("backend", Role::Backend),
        ("server", Role::Server),
        ("operator", Role::Operator),
    ] {
        assert_eq!(
            check(&ED.token(&with(claims(), "role", text))).unwrap().role,
            role
        );
    }
    let one = check(&ED.token(&with(claims(), "match", "m1"))).unwrap();
    assert_eq!((one.matches, one.token_id), (Some(vec!["m1".to_owned()]), None));
    let none = check(&ED.token(&with(claims(), "match", json!([])))).unwrap();
    assert_eq!(none.matches, Some(vec![]));
    assert_eq!(check(&ED.token(&claims())).unwrap().matches, None);
    // A fraction of a second is cut off; an extra header member changes nothing.
    let caller = check(&ED.token(&with(claims(), "exp", 1_800_000_100.9))).unwrap();
    assert_eq!(caller.expires, 1_800_000_100);
    check(&ED.sign(&with(ED.header(), "jku", "https://evil.example"), &claims())).unwrap();
    check(&ED.token(&with(claims(), "sub", "x".repeat(128)))).unwrap();
    for scheme in ["Bearer", "bearer", "BEARER", "Bearer  "] {
        KEYS.check(&format!("{scheme} {}", ED.token(&claims())), NOW)
            .unwrap();
    }
}

#[test]
fn refuses_each_bad_claim_by_name() {
    let (day, absent) = (86_400, "absent");
    let table: Vec<(&str, Value, Unauthenticated)> = vec![
        ("iss", json!(absent), WrongIssuer),
        ("iss", json!("https://id.example/"), WrongIssuer),
        ("iss", json!(["https://id.example"]), WrongIssuer),
        ("aud", json!(absent), WrongAudience),
        ("aud", json!("matchmaker2"), WrongAudience),
        ("aud", json!(["a", "b"]), WrongAudience),
        ("aud", json!([]), WrongAudience),
        ("aud", json!({"matchmaker": 1}), WrongAudience),
        ("aud", json!([["matchmaker"]]), WrongAudience),
        ("exp", json!(absent), BadClaims("exp")),
        ("exp", json!(null), BadClaims("exp")),
        ("exp", json!("1800000100"), BadClaims("exp")),
        ("exp", json!(-1), BadClaims("exp")),
        ("exp", json!(-0.5), BadClaims("exp")),
        ("exp", json!(TWO_TO_53 + 1), BadClaims("exp")),
        ("exp", json!(u64::MAX), BadClaims("exp")),
        ("exp", json!(i64::MIN), BadClaims("exp")),
        ("exp", json!(1e300), BadClaims("exp")),
        ("exp", json!([NOW + 60]), BadClaims("exp")),
        ("exp", json!(0), Expired),
        ("exp", json!(NOW - 60), Expired),
        ("exp", json!(NOW + day + 61), LivesTooLong),
        ("exp", json!(TWO_TO_53 - 1), LivesTooLong),
        ("nbf", json!(NOW + 61), NotYet),
        ("nbf", json!(TWO_TO_53 - 1), NotYet),
        ("nbf", json!(null), BadClaims("nbf")),
        ("nbf", json!("now"), BadClaims("nbf")),
        ("iat", json!(NOW + 61), NotYet),
        ("iat", json!(-5), BadClaims("iat")),
        ("iat", json!(true), BadClaims("iat")),
        ("iat", json!(NOW + 3600 - day - 61), LivesTooLong),
        ("sub", json!(absent), BadClaims("sub")),
        ("sub", json!(""), BadClaims("sub")),
        ("sub", json!(5), BadClaims("sub")),
        ("sub", json!("x".repeat(129)), BadClaims("sub")),
        ("sub", json!("a\nb"), BadClaims("sub")),
        ("sub", json!("a\u{0}b"), BadClaims("sub")),
        ("sub", json!("a\u{85}b"), BadClaims("sub")),
        ("role", json!(absent), NoRole),
        ("role", json!("Player"), NoRole),
        ("role", json!("admin"), NoRole),
        ("role", json!(["player"]), NoRole),
        ("role", json!({"player": null}), NoRole),
        ("role", json!(0), NoRole),
        ("match", json!(null), BadClaims("match")),
        ("match", json!(""), BadClaims("match")),
        ("match", json!(["m1", 2]), BadClaims("match")),
        ("match", json!({"m1": 1}), BadClaims("match")),
        ("jti", json!(7), BadClaims("jti")),
        ("jti", json!(""), BadClaims("jti")),
        ("jti", json!("gone"), Revoked),
        ("jti", json!(" gone "), Revoked),
    ];
    for (member, value, expected) in table {
        let sent = if value == absent && claims().get(member).is_some() {
            without(claims(), member)
        } else {
            with(claims(), member, value.clone())
        };
        assert_eq!(check(&ED.token(&sent)), Err(expected), "{member}: {value}");
    }
    // An `iat` within the leeway does not lengthen a life.
    let ahead = with(with(claims(), "iat", NOW + 60), "exp", NOW + day + 61);
    assert_eq!(check(&ED.token(&ahead)), Err(LivesTooLong));
    // The last moment at which each is still taken.
    for (member, value) in [
        ("exp", json!(NOW - 59)),
        ("exp", json!(NOW + day + 60)),
        ("nbf", json!(NOW + 60)),
        ("iat", json!(NOW + 60)),
        ("iat", json!(NOW + 3600 - day - 60)),
        ("jti", json!("other")),
    ] {
        check(&ED.token(&with(claims(), member, value))).unwrap();
    }
}

#[test]
fn refuses_each_bad_header_by_name() {
    let (header, claims) = (ED.header(), claims());
    let unknown = |kid: &str| UnknownKey { kid: kid.to_owned() };
    let table = [
        (without(header.clone(), "kid"), BadHeader("kid")),
        (with(header.clone(), "kid", 5), BadHeader("kid")),
        (with(header.clone(), "kid", ""), BadHeader("kid")),
        (with(header.clone(), "kid", "a\r\nb"), BadHeader("kid")),
        (with(header.clone(), "kid", "k".repeat(129)), BadHeader("kid")),
        (with(header.clone(), "kid", "ED"), unknown("ED")),
        (with(header.clone(), "kid", "../ed"), unknown("../ed")),
        (with(header.clone(), "crit", json!(["exp"])), BadHeader("crit")),
        (with(header.clone(), "crit", Value::Null), BadHeader("crit")),
        (with(header.clone(), "crit", json!([])), BadHeader("crit")),
        (without(header.clone(), "alg"), WrongAlgorithm),
        (with(header.clone(), "alg", "none"), WrongAlgorithm),
        (with(header.clone(), "alg", "None"), WrongAlgorithm),
        (with(header.clone(), "alg", ""), WrongAlgorithm),
        (with(header.clone(), "alg", "eddsa"), WrongAlgorithm),
        (with(header.clone(), "alg", "ES256"), WrongAlgorithm),
        (with(header.clone(), "alg", "HS256"), WrongAlgorithm),
        (with(header.clone(), "alg", json!(["EdDSA"])), WrongAlgorithm),
        (with(header.clone(), "kid", "ec"), WrongAlgorithm),
        (with(header.clone(), "kid", "rsa"), WrongAlgorithm),
        (json!([header]), Malformed),
        (json!("EdDSA"), Malformed),
    ];
    for (header, expected) in table {
        assert_eq!(check(&ED.sign(&header, &claims)), Err(expected), "{header}");
    }
}

#[test]
fn refuses_each_bad_shape_by_name() {
    let good = ED.token(&claims());
    let [header, body, signature] = good.split('.').collect::<Vec<_>>()[..] else {
        panic!()
    };
    for value in [
        "",
        "Bearer",
        "Basic YTpi",
        &good,
        &format!(" Bearer {good}"),
        &format!("Bearer\t{good}"),
    ] {
        assert_eq!(KEYS.check(value, NOW), Err(NotBearer), "{value}");
    }
    let long = ED.token(&with(claims(), "more", "x".repeat(LONGEST_TOKEN)));
    assert_eq!(check(&long), Err(TooLong));
    assert_eq!(check(&".".repeat(LONGEST_TOKEN + 1)), Err(TooLong));
    let deep = format!("{}.{body}.{signature}", B64.encode("[".repeat(5000)));
    let mut table = vec![
        String::new(),
        ".".repeat(LONGEST_TOKEN),
        header.to_owned(),
        format!("{header}.{body}"),
        format!("{good}."),
        format!("{good}.{signature}"),
        format!(".{good}"),
        format!("{good} "),
        format!("{good}="),
        format!("{header}=.{body}.{signature}"),
        format!("{body}+.{body}.{signature}"),
        format!("{header}.{body}.{}\u{e9}", &signature[1..]),
        deep,
    ];
    // Signed, but no claims.
    table.push(ED.sign_text(&ED.header().to_string(), "not JSON"));
    table.push(ED.sign_text(&ED.header().to_string(), "[1]"));
    table.push(ED.sign_text(&ED.header().to_string(), r#"{"exp": 1e999}"#));
    table.push(ED.sign_text(&ED.header().to_string(), &(claims().to_string() + " {}")));
    for token in table {
        assert_eq!(check(&token), Err(Malformed), "{token}");
    }
    // A signature of RSA is as long as the modulus and below it (RFC 8017, section 8.2.2).
    let rsa = RSA.token(&claims());
    let (message, signature_of_rsa) = rsa.rsplit_once('.').unwrap();
    for bytes in [
        vec![],
        vec![0; 256],
        vec![255; 256],
        [&[0], &B64.decode(signature_of_rsa).unwrap()[..]].concat(),
    ] {
        assert_eq!(
            check(&format!("{message}.{}", B64.encode(bytes))),
            Err(BadSignature)
        );
    }
    let other = Signer::ed25519("ed", 9).token(&claims());
    let stolen = EC.token(&claims());
    let stolen = stolen.rsplit('.').next().unwrap();
    for token in [
        other,
        format!("{header}.{body}."),
        format!("{header}.{body}.{}", B64.encode([0; 64])),
        format!("{header}.{body}.{}", B64.encode([255; 64])),
        format!("{header}.{body}.{signature}AA"),
        format!("{header}.{body}.{stolen}"),
        format!("{header}..{signature}"),
        format!(
            "{header}.{}.{signature}",
            B64.encode(with(claims(), "role", "operator").to_string())
        ),
    ] {
        assert_eq!(check(&token), Err(BadSignature), "{token}");
    }
}

#[test]
fn a_token_never_chooses_its_algorithm() {
    // HS256 under the public key's bytes, in each form that a careless service might use as a secret.
    for signer in [&*ED, &*EC, &*RSA] {
        let jwk = signer.jwk.to_string();
        let raw = signer.jwk["x"].as_str().or(signer.jwk["n"].as_str()).unwrap();
        let raw = B64.decode(raw).unwrap();
        for secret in [jwk.as_bytes(), &raw, b""] {
            let key = EncodingKey::from_secret(secret);
            let (algorithm, jwk) = (Algorithm::HS256, signer.jwk.clone());
            let forger = Signer { algorithm, key, jwk };
            assert_eq!(check(&forger.token(&claims())), Err(WrongAlgorithm));
            // Nor does it help to name the key's algorithm.
            assert_eq!(
                check(&forger.sign(&signer.header(), &claims())),
                Err(BadSignature)
            );
        }
    }
    // A key's own signature of another kind, under its own name and under the key's.
    let pss = Signer {
        algorithm: Algorithm::PS256,
        key: RSA.key.clone(),
        jwk: RSA.jwk.clone(),
    };
    assert_eq!(check(&pss.token(&claims())), Err(WrongAlgorithm));
    assert_eq!(check(&pss.sign(&RSA.header(), &claims())), Err(BadSignature));
    assert_eq!(check(&ED.sign(&EC.header(), &claims())), Err(BadSignature));
    assert_eq!(check(&EC.sign(&ED.header(), &claims())), Err(BadSignature));
    // Unsigned (RFC 7519, section 6).
    let none = json!({"alg": "none", "kid": "ed"}).to_string();
    let unsigned = format!("{}.{}.", B64.encode(none), B64.encode(claims().to_string()));
    assert_eq!(check(&unsigned), Err(WrongAlgorithm));
}

#[test]
fn no_time_overflows() {
    let token = format!(
        "Bearer {}",
        ED.token(&with(with(claims(), "iat", 0), "nbf", TWO_TO_53 - 1))
    );
    let endless = KeyRules {
        longest: Duration::MAX,
        leeway: Duration::MAX,
        ..rules()
    };
    let keys = Keys::from_jwks(&json!({"keys": [ED.jwk]}).to_string(), endless).unwrap();
    for now in [i64::MIN, i64::MIN + 1, -1, 0, 1, NOW, i64::MAX - 1, i64::MAX] {
        let _ = keys.check(&token, now);
        let _ = KEYS.check(&token, now);
    }
    let plain = format!("Bearer {}", ED.token(&claims()));
    assert_eq!(KEYS.check(&plain, i64::MAX), Err(Expired));
    assert_eq!(KEYS.check(&plain, i64::MIN), Err(LivesTooLong));
}

#[test]
fn errors_never_quote_the_token() {
    let secret = "s3cret";
    let sent = [
        ED.token(&with(claims(), "iss", secret)),
        ED.token(&with(claims(), "role", secret)),
        ED.token(&with(claims(), "exp", secret)),
        secret.to_owned(),
        format!("{secret}.{secret}.{secret}"),
    ];
    for token in sent {
        let error = check(&token).unwrap_err();
        assert!(!format!("{error} {error:?}").contains(secret), "{error}");
    }
    let error = check(&ED.sign(&with(ED.header(), "kid", "a\u{202e}b"), &claims())).unwrap_err();
    assert!(error.to_string().contains(r"a\u{202e}b"), "{error}");
}

/// Of all 64 last characters of a part, one alone is taken: the others differ in spare bits or in bytes.
#[test]
fn each_part_has_one_spelling() {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for signer in [&*ED, &*EC] {
        let good = signer.token(&claims());
        let ends = good.match_indices('.').map(|(at, _)| at).chain([good.len()]);
        for end in ends {
            for last in ALPHABET {
                let mut other = good.clone().into_bytes();
                other[end - 1] = *last;
                let other = String::from_utf8(other).unwrap();
                assert_eq!(check(&other).is_ok(), other == good);
            }
        }
    }
}

/// The one way to spell a valid token anew without a key; about half of all signers' own signatures have
/// the larger `s`, so it cannot be refused. It must give the same caller, and be revoked with it.
#[test]
fn an_es256_signature_has_a_twin() {
    let twin = |token: &str| {
        let (message, signature) = token.rsplit_once('.').unwrap();
        let signature = p256::ecdsa::Signature::from_slice(&B64.decode(signature).unwrap()).unwrap();
        let s = -*signature.s();
        let other = p256::ecdsa::Signature::from_scalars(signature.r().to_repr(), s.to_repr()).unwrap();
        format!("{message}.{}", B64.encode(other.to_bytes()))
    };
    let good = EC.token(&claims());
    assert_ne!(twin(&good), good);
    assert_eq!(check(&twin(&good)), check(&good));
    assert_eq!(
        check(&twin(&EC.token(&with(claims(), "jti", "gone")))),
        Err(Revoked)
    );
}
