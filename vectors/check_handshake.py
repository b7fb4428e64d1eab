"""Judges the published handshake with Python's standard library alone, apart from every line of TypeScript.

Usage: python3 vectors/check_handshake.py vectors/handshake.json
Prints one line for each link and the claim as JSON; exits 1 when a link does not hold.
"""

import base64
import hashlib
import json
import sys
import uuid

P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def add(a, b):
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * (a[0] * a[0] - 1) * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def times(k, point):
    result = None
    while k:
        if k & 1:
            result = add(result, point)
        point, k = add(point, point), k >> 1
    return result


def verifies(point, data, raw64):
    r, s = int.from_bytes(raw64[:32], "big"), int.from_bytes(raw64[32:], "big")
    if len(raw64) != 64 or not (0 < r < N and 0 < s < N):
        return False
    z, w = int.from_bytes(hashlib.sha256(data).digest(), "big"), pow(s, -1, N)
    found = add(times(z * w % N, G), times(r * w % N, point))
    return found is not None and found[0] % N == r


def b64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def payload(prefix, text):
    return prefix + base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def key_of(text):
    """The point of a key in `z` and base58: an SPKI or an uncompressed point ends in x and y, a compressed one is expanded."""
    number = 0
    for character in text[1:]:
        number = number * 58 + BASE58.index(character)
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    if len(data) > 64:
        return int.from_bytes(data[-64:-32], "big"), int.from_bytes(data[-32:], "big")
    x = int.from_bytes(data[-32:], "big")
    y = pow((x**3 - 3 * x + B) % P, (P + 1) // 4, P)
    return x, y if y & 1 == data[-33] & 1 else P - y


def token(text, key_set):
    """The claims of a token that a key of the set signed, or None."""
    header, claims, signature = text.split(".")
    kid = json.loads(b64(header))["kid"]
    jwk = next(jwk for jwk in key_set["keys"] if jwk["kid"] == kid)
    point = tuple(int.from_bytes(b64(jwk[name]), "big") for name in "xy")
    return json.loads(b64(claims)) if verifies(point, f"{header}.{claims}".encode(), b64(signature)) else None


def signed(point, text, signature):
    return verifies(point, text.encode(), b64(signature))


def judge(vector):
    request, now = vector["request"], vector["clock"]
    challenge, evidence = request["challenge"], request["evidence"]
    bundle, proof = evidence["attestationBundle"], evidence["submissionProof"]
    documents = {d["type"]: d for d in (evidence["deploymentKeyDocument"], evidence["softwareVersionDocument"])}
    hashes = {
        kind: hashlib.sha256(canonical({name: d[name] for name in ("subject", "type", "data")}).encode()).hexdigest()
        for kind, d in documents.items()
    }
    statement = json.loads(proof["statementText"])
    key_document, version = documents["deployment_key"]["data"], documents["software_version"]["data"]
    deployment = key_of(evidence["publicKey"])
    bound = token(proof["keyBindingCertificate"], vector["jwks"]["registry"]) or {}
    issuer = json.loads(b64(evidence["accreditationJws"].split(".")[1]))["iss"]
    trusted = issuer in vector["trustedCertifierIssuers"]
    certificate = (trusted and token(evidence["accreditationJws"], vector["jwks"][issuer])) or {}
    submission = payload("gitforge:ppa:v1:", proof["statementText"])
    derived = "@" + str(uuid.uuid5(uuid.UUID(evidence["platformEname"][1:]), "software-version:" + evidence["version"]))
    links = {
        "possession": challenge["expiresAt"] > now
        and key_of(key_document["publicKey"]) == deployment
        and signed(deployment, payload("ds:pp-auth:v1:", canonical(challenge)), request["signature"]),
        "deployment-authorised": bundle["signer"] == evidence["deployerEname"] == statement["signerEName"]
        and all(key_document[name] == evidence[name] for name in ("deploymentName", "environment", "platformEname"))
        and signed(
            key_of(vector["walletKeys"][bundle["signer"]]),
            payload("gitforge:deployment:v1:", bundle["signedPayload"]),
            bundle["signature"],
        ),
        "bundle-integrity": {d["type"]: d["hash"] for d in json.loads(bundle["signedPayload"])["documents"]} == hashes,
        "version-identity": derived == evidence["versionEname"] == version["versionEname"]
        and all(version[name] == evidence[name] for name in ("platformEname", "version", "releaseTag", "commitSha")),
        "release-authorship": submission == proof["payload"]
        and statement == proof["statement"]
        and statement["manifestCommitId"] == evidence["commitSha"]
        and bound.get("ename") == statement["signerEName"]
        and key_of(bound["publicKey"]) == key_of(proof["publicKey"])
        and signed(key_of(proof["publicKey"]), submission, proof["signature"]),
        "accreditation": certificate.get("sub") == evidence["platformEname"]
        and certificate["version"] == evidence["version"]
        and certificate["submission_sha256"] == submission.split(":")[-1]
        and certificate["submitter"] == statement["signerEName"],
    }
    domains = [domain for domain in certificate.get("domains", []) if domain in statement["domains"]]
    claim = {
        "platform": evidence["platformEname"],
        "deployment": evidence["deploymentEname"],
        "version": evidence["version"],
        "level": certificate.get("level"),
        "domains": domains,
    }
    return links, claim


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        vector = json.load(file)["own"]
    links, claim = judge(vector)
    for name, holds in links.items():
        print(f"{name}: {'ok' if holds else 'FAILS'}")
    print(json.dumps(claim))
    sys.exit(0 if all(links.values()) and claim == vector["expectedClaim"] else 1)
