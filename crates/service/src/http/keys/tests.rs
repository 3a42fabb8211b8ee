//! Tokens of every algorithm, and all that is refused.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as B64;
use jsonwebtoken::EncodingKey;
use jsonwebtoken::jwk::Jwk;
use p256::elliptic_curve::ff::PrimeField;
use p256::pkcs8::EncodePrivateKey;
use rsa::BigUint;
use rsa::pkcs1::EncodeRsaPrivateKey;
use serde_json::json;

use super::*;

const NOW: i64 = 1_800_000_000;
const TWO_TO_53: u64 = 1 << 53;

/// One issuer's key: how tests sign, and what its JWKS says.
struct Signer {
    algorithm: Algorithm,
    key: EncodingKey,
    jwk: Value,
}

impl Signer {
    fn new(kid: &str, algorithm: Algorithm, key: EncodingKey) -> Self {
        let mut jwk = serde_json::to_value(Jwk::from_encoding_key(&key, algorithm).unwrap()).unwrap();
        jwk["kid"] = json!(kid);
        Self { algorithm, key, jwk }
    }

    /// An Ed25519 key in PKCS#8 (RFC 8410, section 7) is its seed after 16 fixed bytes.
    fn ed25519(kid: &str, seed: u8) -> Self {
        let prefix = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
        let der = [&prefix[..], &[seed; 32]].concat();
        Self::new(kid, EdDSA, EncodingKey::from_ed_der(&der))
    }

    fn p256(kid: &str, seed: u8) -> Self {
        let key = p256::SecretKey::from_slice(&[seed; 32]).unwrap();
        let der = key.to_pkcs8_der().unwrap();
        Self::new(kid, ES256, EncodingKey::from_ec_der(der.as_bytes()))
    }

    /// From two fixed primes, as finding some takes long without optimization.
    fn rsa(kid: &str) -> Self {
        let prime = |hex: &str| BigUint::parse_bytes(hex.as_bytes(), 16).unwrap();
        let p = prime(concat!(
            "F5C08A7DF43B758286772CA40FB5F7D46A3BD8BEA54108ACBC21323FE9BC18DC5D4A1FFF55FB3E602C0D61B528E6099D",
            "C1F07092BCD8C10636A42636D25D7A4D75DC686FD6827A894DE9168E30DDD7F3F9416F2FF64FB58B43E48D166A9C014B",
            "AB37EB1938D312FE821F4905930ADF87E81D1EB2CF8CEFAA3884196E34D3E509"
        ));
        let q = prime(concat!(
            "C551596FAB2A23ADECA5832FC06704567D08FA57B6C895F1F2FF993FEE1D501F3857252F807A52E11F4263E6AEC8D321",
            "ADD708A2FEE7F0C861A0D0F812861F8AD9C71016BCC5F3F4615E1BC6C9A5C955712E402253E51C3F9E22E1072C79EF82",
            "7E4A96B8F22427A1121EDB4BB71F16D9C6F8A8D988403F6ECE7FCE8407E729D1"
        ));
        let key = rsa::RsaPrivateKey::from_p_q(p, q, BigUint::from(65537_u32)).unwrap();
        let der = key.to_pkcs1_der().unwrap();
        Self::new(kid, RS256, EncodingKey::from_rsa_der(der.as_bytes()))
    }

    fn kid(&self) -> &str {
        self.jwk["kid"].as_str().unwrap()
    }

    fn header(&self) -> Value {
        json!({"typ": "JWT", "alg": format!("{:?}", self.algorithm), "kid": self.kid()})
    }

    fn sign_text(&self, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", B64.encode(header), B64.encode(claims));
        let signature = crypto::sign(message.as_bytes(), &self.key, self.algorithm).unwrap();
        format!("{message}.{signature}")
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        self.sign_text(&header.to_string(), &claims.to_string())
    }

    fn token(&self, claims: &Value) -> String {
        self.sign(&self.header(), claims)
    }
}

static ED: LazyLock<Signer> = LazyLock::new(|| Signer::ed25519("ed", 7));
static EC: LazyLock<Signer> = LazyLock::new(|| Signer::p256("ec", 8));
static RSA: LazyLock<Signer> = LazyLock::new(|| Signer::rsa("rsa"));
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let set = json!({"keys": [ED.jwk, EC.jwk, RSA.jwk]});
    Keys::from_jwks(&set.to_string(), rules())
        .unwrap()
        .revoking(["gone\r".to_owned(), String::new()])
});

fn rules() -> KeyRules {
    KeyRules::of("https://id.example", "matchmaker")
}

fn claims() -> Value {
    json!({"iss": "https://id.example", "aud": "matchmaker", "exp": NOW + 3600, "sub": "ann", "role": "player"})
}

/// `of` with one member changed; `Value::Null` is a value like any other here.
fn with(mut of: Value, member: &str, value: impl Into<Value>) -> Value {
    of[member] = value.into();
    of
}

fn without(mut of: Value, member: &str) -> Value {
    of.as_object_mut().unwrap().remove(member).unwrap();
    of
}

fn check(token: &str) -> Result<Caller, Unauthenticated> {
    KEYS.check(&format!("Bearer {token}"), NOW)
}

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

/// `SplitMix64`: seeded, so that a failure can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }

    fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

#[test]
fn a_hundred_thousand_random_and_mutated_tokens() {
    let good: Vec<String> = (0..4)
        .flat_map(|n| {
            let claims = with(claims(), "sub", format!("s{n}"));
            [ED.token(&claims), EC.token(&claims)]
        })
        .collect();
    let bits = [
        "",
        ".",
        "..",
        "=",
        " ",
        "\0",
        "-",
        "_",
        "A",
        "é",
        "eyJ",
        "e30",
        "bnVsbA",
        "Bearer ",
        "W10",
        "\u{1f600}",
    ];
    let mut random = Random(0x5eed);
    let (mut accepted, mut tried) = (0, 0);
    for _ in 0..100_000 {
        let mut token: Vec<char> = good[random.below(good.len())].chars().collect();
        match random.below(100) {
            // Nonsense of the token's own characters and others.
            0..40 => {
                token = (0..random.below(60))
                    .flat_map(|_| random.of(&bits).chars())
                    .collect();
            }
            // A wrong character in the header, where it says `alg` and `kid`: refused without arithmetic.
            40..95 => {
                let at = random.below(34);
                token[at] = char::from(32 + u8::try_from(random.below(96)).unwrap());
            }
            // Anything anywhere: changed, put in, taken out, cut off, or doubled.
            95..99 => {
                for _ in 0..=random.below(3) {
                    let at = random.below(token.len());
                    match random.below(5) {
                        0 => token[at] = char::from(33 + u8::try_from(random.below(94)).unwrap()),
                        1 => token.insert(at, random.of(&["A", ".", "=", "z"]).chars().next().unwrap()),
                        2 => drop(token.remove(at)),
                        3 => token.truncate(at + 1),
                        _ => token.extend_from_within(at..),
                    }
                }
            }
            // Parts of two tokens.
            _ => {
                let other = &good[random.below(good.len())];
                let parts = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
                let (mut mine, theirs) = (parts(&token.iter().collect::<String>()), parts(other));
                let at = random.below(3);
                mine[at].clone_from(&theirs[at]);
                token = mine.join(".").chars().collect();
            }
        }
        let token: String = token.into_iter().collect();
        let result = check(&token);
        assert!(result.is_err() || good.contains(&token), "{token}");
        accepted += u32::from(result.is_ok());
        tried += u32::from(matches!(result, Err(BadSignature)));
    }
    // The loop is no good if it never meets a valid token, or never a signature that does not hold.
    println!("{accepted} taken, {tried} with a wrong signature");
    assert!(
        accepted > 100 && tried > 1000,
        "{accepted} taken, {tried} with a wrong signature"
    );
}
