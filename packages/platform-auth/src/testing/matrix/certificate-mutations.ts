import { createHmac, createSign } from "node:crypto";
import { encodeBase64Url } from "@dataspace/protocol/base64url";
import { type Mutation, type Stage, setting } from "./mutation.ts";

const OTHER = "@99999999-9999-4999-8999-999999999999";
const DAY_SECONDS = 86_400;

/** Has the authority sign the certificate again with claims changed; undefined removes one. */
function certified(fails: string, name: string, change: (stage: Stage) => Record<string, unknown>): Mutation {
  return [
    `the certificate ${name}`,
    fails,
    async (presented, stage) => {
      setting("accreditationJws", await stage.platform.certify(change(stage)))(presented, stage);
    },
  ];
}

/** Puts another token in the certificate's place. */
function replaced(fails: string, name: string, make: (stage: Stage) => string | Promise<string>): Mutation {
  return [name, fails, async (presented, stage) => setting("accreditationJws", await make(stage))(presented, stage)];
}

const nowSeconds = ({ nowMs }: Stage): number => Math.floor(nowMs / 1000);

/** Changes of the certificate. */
export const certificateMutations: readonly Mutation[] = [
  ...["https://authority.example", "", 7, null, undefined].map((iss) =>
    certified("6:issuer_not_trusted", `has the issuer ${JSON.stringify(iss)}`, () => ({ iss })),
  ),
  certified("6:issuer_not_trusted", "has the attacker's issuer", ({ attacker }) => ({ iss: attacker.origin })),
  certified("6:issuer_not_trusted", "has an issuer that only begins as a trusted one", ({ origin }) => ({
    iss: `${origin}.attacker.example`,
  })),
  certified("6:issuer_not_trusted", "has a trusted issuer with a path", ({ origin }) => ({ iss: `${origin}/x` })),
  certified("6:issuer_not_trusted", "has a trusted issuer with two slashes", ({ origin }) => ({ iss: `${origin}//` })),
  certified("6:issuer_not_trusted", "has the attacker's origin behind a trusted user name", ({ origin, attacker }) => ({
    iss: `${origin}@${attacker.origin.slice("http://".length)}`,
  })),
  ...[OTHER, "", 7, undefined].map((sub) =>
    certified("6:certificate_other_subject", `has the subject ${JSON.stringify(sub)}`, () => ({ sub })),
  ),
  ...["1.4.1", "1.4", "1.4.0 ", "v1.4.0", "1.4.0+build", 1.4, null, undefined].map((version) =>
    certified("6:certificate_other_version", `has the version ${JSON.stringify(version)}`, () => ({ version })),
  ),
  certified("6:certificate_other_version", "has another platformVersion too", () => ({ platformVersion: "1.4.1" })),
  certified("6:certificate_other_version", "has another version eName", () => ({ version_ename: OTHER })),
  ...["denied", "revoked", "", null, true].map((decision) =>
    certified("6:certificate_refused", `has the decision ${JSON.stringify(decision)}`, () => ({ decision })),
  ),
  ...["L6", "L", "l3", 3, null, undefined].map((level) =>
    certified("6:level_invalid", `has the level ${JSON.stringify(level)}`, () => ({ level })),
  ),
  ...["social", ["Social"], ["social", "social"], [7], {}, null, undefined].map((domains) =>
    certified("6:certificate_invalid", `has the domains ${JSON.stringify(domains)}`, () => ({ domains })),
  ),
  ...["tomorrow", null, undefined].map((exp) =>
    certified("6:certificate_invalid", `ends at ${JSON.stringify(exp)}`, () => ({ exp })),
  ),
  certified("6:certificate_invalid", "was issued at no time", () => ({ iat: undefined })),
  certified("6:certificate_invalid", "is valid for 367 days", (stage) => ({
    exp: nowSeconds(stage) + 367 * DAY_SECONDS,
  })),
  certified("6:certificate_invalid", "is issued tomorrow", (stage) => ({ iat: nowSeconds(stage) + DAY_SECONDS })),
  certified("6:certificate_invalid", "is valid from tomorrow", (stage) => ({ nbf: nowSeconds(stage) + DAY_SECONDS })),
  certified("6:certificate_expired", "ended 61 s ago", (stage) => ({
    iat: nowSeconds(stage) - DAY_SECONDS,
    exp: nowSeconds(stage) - 61,
  })),
  ...["AAAA", "", 7, null, undefined].map((hash) =>
    certified("6:certificate_other_submission", `has the submission hash ${JSON.stringify(hash)}`, () => ({
      submission_sha256: hash,
    })),
  ),
  ...[OTHER, "", 7, null, undefined].map((submitter) =>
    certified("6:certificate_other_submission", `has the submitter ${JSON.stringify(submitter)}`, () => ({
      submitter,
    })),
  ),
  ...["", 7, undefined].map((jti) =>
    certified("6:certificate_invalid", `has the id ${JSON.stringify(jti)}`, () => ({ jti })),
  ),
  ...[null, {}, { status_list: {} }, { status_list: { idx: -1, uri: "x" } }].map((status) =>
    certified("6:status_unavailable", `has the status ${JSON.stringify(status)}`, () => ({ status })),
  ),
  certified("6:status_unavailable", "has its status at the attacker's", ({ attacker }) => ({
    status: { status_list: { idx: 0, uri: `${attacker.origin}/status/1` } },
  })),
  certified(
    "6:status_unavailable",
    "has its status at a user name that looks like the issuer",
    ({ origin, attacker }) => ({
      status: { status_list: { idx: 0, uri: `${origin}@${attacker.origin.slice("http://".length)}/status/1` } },
    }),
  ),
  certified("6:status_unavailable", "has its status outside the list", ({ origin }) => ({
    status: { status_list: { idx: 1_000_000, uri: `${origin}/status/1` } },
  })),
  certified("6:status_unavailable", "has its status in a list that is not there", ({ origin }) => ({
    status: { status_list: { idx: 0, uri: `${origin}/status/none` } },
  })),
  certified("6:certificate_revoked", "was revoked", ({ origin }) => ({
    status: { status_list: { idx: 7, uri: `${origin}/status/1` } },
  })),
  replaced("6:signature_invalid", "the certificate is signed by the attacker's key", ({ platform, attacker }) =>
    platform.certify({}, attacker.platform.authority),
  ),
  replaced(
    "6:signature_invalid",
    "the certificate is signed by a key that the issuer does not publish",
    ({ platform, attacker }) => platform.certify({}, { ...attacker.platform.authority, kid: "not-published" }),
  ),
  replaced("6:certificate_invalid", "the certificate is another kind of token", ({ platform }) =>
    platform.certify({}, platform.authority, "JWT"),
  ),
  replaced("6:certificate_invalid", "the certificate is a status list", ({ platform }) =>
    platform.certify({}, platform.authority, "statuslist+jwt"),
  ),
  replaced("6:certificate_invalid", "the certificate is not signed (alg none)", ({ platform }) =>
    forged(platform.evidence.accreditationJws, { alg: "none" }, () => new Uint8Array()),
  ),
  replaced(
    "6:certificate_invalid",
    "the certificate is authenticated by the issuer's public key (HS256)",
    ({ platform }) =>
      forged(platform.evidence.accreditationJws, { alg: "HS256", kid: platform.authority.kid }, (text) =>
        createHmac("sha256", platform.authority.publicKey).update(text).digest(),
      ),
  ),
  replaced("6:certificate_invalid", "the certificate has a critical header", ({ platform }) =>
    forged(
      platform.evidence.accreditationJws,
      { alg: "ES256", kid: platform.authority.kid, crit: ["b64"], b64: false },
      (text) =>
        createSign("sha256").update(text).sign({ key: platform.authority.privateKey, dsaEncoding: "ieee-p1363" }),
    ),
  ),
  replaced("6:signature_invalid", "the certificate's claims are not those that were signed", ({ platform }) => {
    const [header, payload, signature] = platform.evidence.accreditationJws.split(".") as [string, string, string];
    const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), level: "L5" };
    return `${header}.${encodeJson(claims)}.${signature}`;
  }),
  replaced("6:signature_invalid", "the certificate names a key of its own in its header", ({ platform, attacker }) =>
    forged(
      platform.evidence.accreditationJws,
      {
        alg: "ES256",
        typ: "ds-cert+jwt",
        kid: platform.authority.kid,
        jwk: attacker.platform.authority.jwks.keys[0],
        jku: `${attacker.origin}/jwks`,
      },
      (text) =>
        createSign("sha256")
          .update(text)
          .sign({ key: attacker.platform.authority.privateKey, dsaEncoding: "ieee-p1363" }),
    ),
  ),
  replaced("6:certificate_invalid", "the certificate has the signature of a DER encoder", ({ platform }) =>
    forged(
      platform.evidence.accreditationJws,
      { alg: "ES256", typ: "ds-cert+jwt", kid: platform.authority.kid },
      (text) => createSign("sha256").update(text).sign(platform.authority.privateKey),
    ),
  ),
  replaced("6:certificate_invalid", "the certificate is longer than 8 KiB", ({ platform }) =>
    platform.certify({ padding: "x".repeat(8192) }),
  ),
];

function forged(certificate: string, header: object, sign: (signingInput: string) => Uint8Array): string {
  const signingInput = `${encodeJson(header)}.${certificate.split(".")[1]}`;
  return `${signingInput}.${encodeBase64Url(sign(signingInput))}`;
}

function encodeJson(value: object): string {
  return encodeBase64Url(Buffer.from(JSON.stringify(value)));
}
