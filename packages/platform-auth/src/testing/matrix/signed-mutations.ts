import { signedPayload } from "@dataspace/protocol/signed-payload";
import type { Mutation, Stage } from "./mutation.ts";
import { setting } from "./mutation.ts";

interface BundleJson {
  documents: object[];
}

const DAY_MS = 86_400_000;
const OTHER = "@99999999-9999-4999-8999-999999999999";
const UNBOUND = "6:certificate_other_submission";

/** Has the author sign the statement again, with a change. The certificate then names another submission. */
function submitted(fails: string, name: string, change: Record<string, unknown>): Mutation {
  return [
    `the author submits ${name}`,
    `${fails} ${UNBOUND}`.trim(),
    async ({ evidence }, { platform }) => {
      evidence["submissionProof"] = await platform.submit(change as never);
    },
  ];
}

/** Has the author sign both documents again, with a change. */
function attested(fails: string, name: string, change: Record<string, unknown>): Mutation {
  return [
    `the deployer signs ${name}`,
    fails,
    async ({ evidence }, { platform }) => {
      Object.assign(evidence, await platform.attest(change as never));
    },
  ];
}

/** Signs a bundle text of the attacker's choice as the deployer would. */
function bundleText(fails: string, name: string, change: (text: string) => string): Mutation {
  return [
    `the bundle's text ${name}`,
    fails,
    async ({ evidence }, { platform: { author } }) => {
      const bundle = evidence["attestationBundle"] as Record<string, unknown>;
      const text = change(bundle["signedPayload"] as string);
      const signature = await author.key.signText(await signedPayload("deployment", text));
      const signed = { ...bundle, signedPayload: text, signature };
      evidence["attestationBundle"] = signed;
      for (const document of ["deploymentKeyDocument", "softwareVersionDocument"]) {
        (evidence[document] as Record<string, unknown>)["signatures"] = [signed];
      }
    },
  ];
}

/** Changes that somebody signs again with a key of their own. */
export const signedMutations: readonly Mutation[] = [
  attested("2:document_field_mismatch", "another deployment name", { deploymentName: "chatter-us" }),
  attested("2:document_field_mismatch", "another environment", { environment: "staging" }),
  attested("2:document_field_mismatch", "another deployment", { deploymentEname: OTHER }),
  attested("4:document_field_mismatch", "another tag", { releaseTag: "v2" }),
  attested("4:document_field_mismatch", "another commit", { commitSha: "c".repeat(40) }),
  attested("4:document_field_mismatch", "another version", { version: "2.0.0" }),
  attested("2:document_field_mismatch 4:document_field_mismatch", "another platform", { platformEname: OTHER }),
  attested("2:document_not_in_force", "a document that has ended", { validUntil: "2020-01-01T00:00:00.000Z" }),
  attested("2:document_not_in_force", "a document of tomorrow", { validFrom: "2099-01-01T00:00:00.000Z" }),
  [
    "the deployer signs for another deployment key",
    "1:key_mismatch",
    async ({ evidence }, { platform, attacker }) => {
      const { publicKey } = attacker.platform.deploymentKey;
      Object.assign(evidence, await platform.attest({ publicKey }));
    },
  ],
  [
    "only the bundle is signed by another key than the deployer's",
    "2:signature_invalid",
    async ({ evidence }, { platform, attacker }) => {
      const key = attacker.platform.author.key;
      Object.assign(evidence, await platform.attest({}, { ename: platform.author.ename, key }));
    },
  ],
  bundleText("2:document_not_covered 3:bundle_malformed", "lists one document", (text) =>
    edit(text, (bundle) => bundle.documents.pop()),
  ),
  bundleText("2:document_not_covered 3:bundle_malformed", "lists three documents", (text) =>
    edit(text, (bundle) => bundle.documents.push(...bundle.documents.slice(1))),
  ),
  bundleText("2:document_not_covered 3:bundle_malformed", "lists one document twice", (text) =>
    edit(text, (bundle) => bundle.documents.splice(1, 1, ...bundle.documents.slice(0, 1))),
  ),
  bundleText("2:document_not_covered 3:bundle_malformed", "is of another version", (text) =>
    edit(text, (bundle) => Object.assign(bundle, { version: 2 })),
  ),
  bundleText("2:document_not_covered 3:bundle_malformed", "is of another type", (text) =>
    edit(text, (bundle) => Object.assign(bundle, { type: "other" })),
  ),
  bundleText("2:document_not_covered 3:bundle_malformed", "has a member twice", (text) =>
    text.replace("{", '{"version":1,'),
  ),
  bundleText("2:document_not_covered 3:bundle_malformed", "is no JSON", (text) => `${text}}`),
  bundleText("2:document_not_covered 3:document_not_covered", "has an upper-case hash", (text) =>
    edit(text, (bundle) =>
      bundle.documents.map((entry) => Object.assign(entry, { hash: hashOf(entry).toUpperCase() })),
    ),
  ),
  bundleText("2:document_not_covered 3:document_not_covered", "names another subject", (text) =>
    edit(text, (bundle) => Object.assign(bundle.documents[0] ?? {}, { subject: OTHER })),
  ),
  [
    "the key document carries another bundle text",
    "3:bundle_text_differs",
    ({ evidence }) => {
      const document = evidence["deploymentKeyDocument"] as { signatures: Record<string, unknown>[] };
      document.signatures[0] = { ...document.signatures[0], signedPayload: "{}" };
    },
  ],
  submitted("5:statement_other_release", "another version", { version: "1.4.1" }),
  submitted("5:statement_other_release", "another tag", { releaseTag: "v1.4.1" }),
  submitted("5:statement_other_release", "another platform", { platformEName: OTHER }),
  submitted("5:commit_mismatch", "another commit", { manifestCommitId: "c".repeat(40) }),
  submitted("", "more domains", { domains: ["social", "communication", "finance"] }),
  submitted("", "another nonce", { nonce: "another" }),
  submitted("2:deployer_not_authorised", "in another's name", { signerEName: OTHER }),
  submitted("5:key_certificate_invalid", "with a statement of the day before its key certificate", {
    issuedAt: new Date(Date.UTC(2026, 0, 1)).toISOString(),
  }),
  [
    "the statement is signed by another key that is certified for the author",
    "5:signature_invalid",
    async ({ evidence }, { platform, attacker }) => {
      const { publicKey } = attacker.platform.author.key;
      const keyBindingCertificate = await platform.bindKey(platform.author.ename, publicKey);
      evidence["submissionProof"] = { ...platform.evidence.submissionProof, publicKey, keyBindingCertificate };
    },
  ],
  keyCertificate("is not the registry's", ({ attacker, platform: { author } }) =>
    attacker.platform.bindKey(author.ename, author.key.publicKey),
  ),
  keyCertificate("is another's", ({ platform }) => platform.bindKey(OTHER as never, platform.author.key.publicKey)),
  keyCertificate("certifies another key", ({ platform, attacker }) =>
    platform.bindKey(platform.author.ename, attacker.platform.author.key.publicKey),
  ),
  keyCertificate("ended before the statement", ({ platform: { bindKey, author }, nowMs }) =>
    bindKey(author.ename, author.key.publicKey, nowMs - DAY_MS),
  ),
  keyCertificate("began after the statement", ({ platform: { bindKey, author }, nowMs }) =>
    bindKey(author.ename, author.key.publicKey, nowMs + DAY_MS),
  ),
  [
    "a certificate of the key for the statement's time is outweighed by no verifiedAt",
    "5:key_certificate_invalid",
    async ({ evidence }, { platform, nowMs }) => {
      const { ename, key } = platform.author;
      const keyBindingCertificate = await platform.bindKey(ename, key.publicKey, nowMs - DAY_MS);
      const verifiedAt = new Date(nowMs - DAY_MS + 60_000).toISOString();
      evidence["submissionProof"] = { ...platform.evidence.submissionProof, keyBindingCertificate, verifiedAt };
    },
  ],
  [
    "the statement's text has a member twice",
    "2:deployer_not_authorised 5:statement_invalid 6:certificate_other_submission",
    (presented, stage) => {
      const text = stage.platform.evidence.submissionProof.statementText;
      setting("submissionProof.statementText", text.replace("{", '{"nonce":"other",'))(presented, stage);
    },
  ],
];

function keyCertificate(name: string, make: (stage: Stage) => Promise<string>): Mutation {
  return [
    `the key binding certificate ${name}`,
    "5:key_certificate_invalid",
    async (presented, stage) => setting("submissionProof.keyBindingCertificate", await make(stage))(presented, stage),
  ];
}

function edit(text: string, change: (bundle: BundleJson) => unknown): string {
  const bundle: BundleJson = JSON.parse(text);
  change(bundle);
  return JSON.stringify(bundle);
}

function hashOf(entry: object): string {
  return "hash" in entry ? String(entry.hash) : "";
}
