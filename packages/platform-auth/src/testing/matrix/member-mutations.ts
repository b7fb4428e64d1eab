import { type Mutation, setting } from "./mutation.ts";

const OTHER = "@99999999-9999-4999-8999-999999999999";
const KEY = "2:document_field_mismatch";
const COVERED = "2:document_not_covered 3:document_not_covered";
const MALFORMED = "2:document_field_mismatch 3:document_not_covered";

/** What each member of the evidence fails when it is missing, of another type, and another value. */
const MEMBERS: readonly (readonly [name: string, missing: string, other: unknown, altered: string])[] = [
  ["deploymentEname", KEY, OTHER, KEY],
  ["deploymentName", KEY, "chatter-us", KEY],
  ["environment", KEY, "staging", KEY],
  ["deployerEname", "2:missing_evidence", OTHER, "2:signer_not_deployer"],
  [
    "platformEname",
    `${KEY} 4:missing_evidence 5:statement_other_release 6:certificate_other_subject`,
    OTHER,
    `${KEY} 4:version_not_derivable 5:statement_other_release 6:certificate_other_subject`,
  ],
  ["versionEname", "4:missing_evidence", OTHER, "4:version_not_derivable"],
  [
    "version",
    "4:missing_evidence 5:statement_other_release 6:certificate_other_version",
    "1.4.1",
    "4:version_not_derivable 5:statement_other_release 6:certificate_other_version",
  ],
  [
    "releaseTag",
    "4:document_field_mismatch 5:statement_other_release",
    "v1.4.1",
    "4:document_field_mismatch 5:statement_other_release",
  ],
  [
    "commitSha",
    "4:document_field_mismatch 5:commit_mismatch",
    "b".repeat(40),
    "4:document_field_mismatch 5:commit_mismatch",
  ],
  ["publicKey", "1:missing_evidence", "zz", "1:key_mismatch"],
  [
    "deploymentKeyDocument",
    "1:missing_evidence 2:missing_evidence 3:missing_evidence",
    {},
    `1:key_mismatch ${MALFORMED}`,
  ],
  [
    "softwareVersionDocument",
    "3:missing_evidence 4:missing_evidence",
    {},
    "3:document_not_covered 4:document_field_mismatch",
  ],
  [
    "submissionProof",
    "2:deployer_not_authorised 5:missing_evidence 6:certificate_other_submission",
    {},
    "2:deployer_not_authorised 5:missing_evidence 6:certificate_other_submission",
  ],
  ["accreditationJws", "6:missing_evidence", "a.b.c", "6:certificate_invalid"],
];

/** What each member of the key document fails when it is another value. The bundle then covers it no longer. */
const KEY_DOCUMENT: readonly (readonly [path: string, other: unknown, fails: string])[] = [
  ["subject", OTHER, MALFORMED],
  ["type", "software_version", `1:key_mismatch ${MALFORMED}`],
  ["type", undefined, `1:key_mismatch ${MALFORMED}`],
  ["data", undefined, `1:key_mismatch ${MALFORMED}`],
  ["data.kind", "other", `1:key_mismatch ${MALFORMED}`],
  ["data.deploymentName", "chatter-us", MALFORMED],
  ["data.environment", "staging", MALFORMED],
  ["data.deployerEname", OTHER, MALFORMED],
  ["data.platformEname", OTHER, MALFORMED],
  ["data.algorithm", "RSA", `1:key_mismatch ${MALFORMED}`],
  ["data.publicKey", "z0", `1:key_mismatch ${MALFORMED}`],
  ["data.validUntil", "2099-01-01T00:00:00.000Z", COVERED],
  ["data.validUntil", "2020-01-01T00:00:00.000Z", "2:document_not_in_force 3:document_not_covered"],
  ["data.validFrom", "2099-01-01T00:00:00.000Z", "2:document_not_in_force 3:document_not_covered"],
  ["data.validFrom", "yesterday", `1:key_mismatch ${MALFORMED}`],
  ["data.role", "admin", `1:key_mismatch ${MALFORMED}`],
];

const VERSION_MALFORMED = "3:document_not_covered 4:document_field_mismatch";
const VERSION_DOCUMENT: readonly (readonly [path: string, other: unknown])[] = [
  ["subject", OTHER],
  ["type", "deployment_key"],
  ["data.kind", "other"],
  ["data.platformEname", OTHER],
  ["data.versionEname", OTHER],
  ["data.version", "1.4.1"],
  ["data.releaseTag", "v1.4.1"],
  ["data.commitSha", "b".repeat(40)],
  ["data.note", "also 2.0"],
  ["data.version", undefined],
];

const PROOF: readonly (readonly [path: string, other: unknown, fails: string])[] = [
  ["statement", undefined, "5:missing_evidence"],
  ["statement", "text", "5:missing_evidence"],
  ["statement.domains", ["social", "finance"], "5:statement_payload_mismatch"],
  ["statement.version", "1.4.1", "5:statement_payload_mismatch"],
  ["statement.signerEName", OTHER, "5:statement_payload_mismatch"],
  ["statement.nonce", undefined, "5:statement_payload_mismatch"],
  ["statement.extra", 1, "5:statement_payload_mismatch"],
  ["statementText", 7, "2:deployer_not_authorised 5:statement_invalid 6:certificate_other_submission"],
  ["statementText", "{", "2:deployer_not_authorised 5:statement_invalid 6:certificate_other_submission"],
  ["payload", undefined, "5:missing_evidence"],
  ["payload", "gitforge:ppa:v1:AAAA", "5:statement_payload_mismatch"],
  ["signature", undefined, "5:missing_evidence"],
  ["signature", "A".repeat(86), "5:signature_invalid"],
  ["publicKey", undefined, "5:missing_evidence"],
  ["publicKey", "z0", "5:key_certificate_invalid"],
  ["keyBindingCertificate", undefined, "5:missing_evidence"],
  ["keyBindingCertificate", "a.b.c", "5:key_certificate_invalid"],
];

const SIGNED_AS_BUNDLE = "1,bundle";
const BUNDLE: readonly (readonly [path: string, other: unknown, fails: string])[] = [
  ["signer", OTHER, "2:signer_not_deployer"],
  ["signer", undefined, "2:signer_not_deployer"],
  ["signature", undefined, "2:missing_evidence"],
  ["signature", "A".repeat(86), "2:signature_invalid"],
  ["signedPayload", undefined, "2:missing_evidence 3:missing_evidence"],
  ["signedPayload", "{}", "2:document_not_covered 3:bundle_text_differs"],
  ["signedPayload", SIGNED_AS_BUNDLE, "2:document_not_covered 3:bundle_text_differs"],
];

/** Changes of single members of the evidence, without signing anything again. */
export const memberMutations: readonly Mutation[] = [
  ...MEMBERS.flatMap(([name, missing, other, altered]): Mutation[] => [
    [`${name} is missing`, missing, setting(name, undefined)],
    [`${name} is of another type`, missing, setting(name, 7)],
    [`${name} is null`, missing, setting(name, null)],
    [`${name} is another`, altered, setting(name, other)],
  ]),
  ...under("deploymentKeyDocument", KEY_DOCUMENT),
  ...under(
    "softwareVersionDocument",
    VERSION_DOCUMENT.map(([path, other]) => [path, other, VERSION_MALFORMED]),
  ),
  ...under("submissionProof", PROOF),
  ...under("attestationBundle", BUNDLE),
];

function under(document: string, rows: readonly (readonly [string, unknown, string])[]): readonly Mutation[] {
  return rows.map(([path, other, fails]) => {
    const name = `${document}.${path} is ${other === undefined ? "missing" : JSON.stringify(other).slice(0, 40)}`;
    return [name, fails, setting(`${document}.${path}`, other)];
  });
}
