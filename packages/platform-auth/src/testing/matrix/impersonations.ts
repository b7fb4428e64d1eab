import { handshakePayload } from "@dataspace/protocol/handshake-challenge";
import type { HandshakeChallenge } from "@dataspace/protocol/handshake-challenge";
import { asJson, type Mutation, type Presented, type Stage } from "./mutation.ts";

// The evidence of a platform is public: every verifier sees it. What follows is what somebody can make of it who has keys of their
// own, certified for a name of their own, and not the keys of the platform's people.

async function signWith({ platform }: Stage["attacker"], presented: Presented): Promise<void> {
  presented.evidence["publicKey"] = platform.deploymentKey.publicKey;
  const payload = await handshakePayload(presented.challenge as unknown as HandshakeChallenge);
  presented.signature = await platform.deploymentKey.signText(payload);
}

async function attestAsAttacker(presented: Presented, { platform, attacker }: Stage): Promise<void> {
  const { publicKey } = attacker.platform.deploymentKey;
  Object.assign(presented.evidence, await platform.attest({ publicKey }, attacker.platform.author));
  presented.evidence["deployerEname"] = attacker.platform.author.ename;
  await signWith(attacker, presented);
}

/** Impersonations that a reading of the six links word for word allows. */
export const impersonations: readonly Mutation[] = [
  ["an attacker authorises a key of their own for a certified platform", "2:deployer_not_authorised", attestAsAttacker],
  [
    "an attacker authorises a key of their own and adds a submission of their own for the release",
    "6:certificate_other_submission",
    async (presented, stage) => {
      await attestAsAttacker(presented, stage);
      const { author } = stage.attacker.platform;
      presented.evidence["submissionProof"] = await stage.platform.submit({ signerEName: author.ename }, author.key);
    },
  ],
  [
    "an attacker lists themselves as deployer in a copy of the author's statement",
    "2:deployer_not_authorised 5:statement_payload_mismatch",
    async (presented, stage) => {
      await attestAsAttacker(presented, stage);
      const { submissionProof } = stage.platform.evidence;
      const deployers = [stage.attacker.platform.author.ename];
      presented.evidence["submissionProof"] = {
        ...submissionProof,
        statement: { ...submissionProof.statement, deployers },
      };
    },
  ],
  [
    "an attacker lists themselves as deployer in a copy of the statement and of its text",
    "5:statement_payload_mismatch 6:certificate_other_submission",
    async (presented, stage) => {
      await attestAsAttacker(presented, stage);
      const { submissionProof } = stage.platform.evidence;
      const statement = { ...submissionProof.statement, deployers: [stage.attacker.platform.author.ename] };
      presented.evidence["submissionProof"] = {
        ...submissionProof,
        statement,
        statementText: JSON.stringify(statement),
      };
    },
  ],
  [
    "an attacker lists themselves as deployer in a certificate of their own",
    "6:signature_invalid",
    async (presented, stage) => {
      await attestAsAttacker(presented, stage);
      const { author, authority } = stage.attacker.platform;
      presented.evidence["accreditationJws"] = await stage.platform.certify({ deployers: [author.ename] }, authority);
    },
  ],
  [
    "an attacker names the author as deployer and signs the bundle with a key of their own",
    "2:signature_invalid",
    async (presented, { platform, attacker }) => {
      const { publicKey } = attacker.platform.deploymentKey;
      const deployer = { ename: platform.author.ename, key: attacker.platform.author.key };
      Object.assign(presented.evidence, await platform.attest({ publicKey }, deployer));
      await signWith(attacker, presented);
    },
  ],
  [
    "an attacker's platform presents the certificate of another platform",
    "6:certificate_other_subject",
    async (presented, { platform, attacker }) => {
      presented.evidence = asJson(attacker.platform.evidence);
      presented.evidence["accreditationJws"] = platform.evidence.accreditationJws;
      await signWith(attacker, presented);
    },
  ],
  [
    "an attacker's platform presents a certificate that it issued itself",
    "6:issuer_not_trusted",
    async (presented, { attacker }) => {
      presented.evidence = asJson(attacker.platform.evidence);
      presented.evidence["issuerJwksUri"] = `${attacker.origin}/.well-known/jwks.json`;
      await signWith(attacker, presented);
    },
  ],
  [
    "an attacker's platform issues itself a certificate in a trusted issuer's name and says where its keys are",
    "6:signature_invalid",
    async (presented, { attacker, origin }) => {
      presented.evidence = asJson(attacker.platform.evidence);
      presented.evidence["accreditationJws"] = await attacker.platform.certify({ iss: origin });
      presented.evidence["issuerJwksUri"] = `${attacker.origin}/.well-known/jwks.json`;
      await signWith(attacker, presented);
    },
  ],
  [
    "the author runs another commit under the certificate of the reviewed one",
    "4:document_field_mismatch 5:commit_mismatch",
    ({ evidence }) => {
      evidence["commitSha"] = "c".repeat(40);
    },
  ],
  [
    "the author attests another commit under the certificate of the reviewed one",
    "5:commit_mismatch",
    async (presented, { platform }) => {
      const commitSha = "c".repeat(40);
      Object.assign(presented.evidence, await platform.attest({ commitSha }));
      presented.evidence["commitSha"] = commitSha;
    },
  ],
];
