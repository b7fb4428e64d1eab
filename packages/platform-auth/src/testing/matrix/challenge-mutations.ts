import { handshakePayload } from "@dataspace/protocol/handshake-challenge";
import type { HandshakeChallenge } from "@dataspace/protocol/handshake-challenge";
import type { Mutation } from "./mutation.ts";

const OTHER = "@99999999-9999-4999-8999-999999999999";

/** Changes the challenge in the answer, with the signature over the stored one. */
function altered(fails: string, name: string, change: Record<string, unknown>): Mutation {
  return [
    `the challenge in the answer ${name}`,
    fails,
    ({ challenge }) => {
      for (const [member, value] of Object.entries(change)) {
        if (value === undefined) delete challenge[member];
        else challenge[member] = value;
      }
    },
  ];
}

/** Changes of the challenge and of what is signed over it. */
export const challengeMutations: readonly Mutation[] = [
  altered("1:challenge_unknown", "has another nonce", { nonce: "x".repeat(43) }),
  altered("1:challenge_unknown", "has no nonce", { nonce: undefined }),
  altered("1:challenge_unknown", "has a nonce that is not text", { nonce: 7 }),
  altered("1:challenge_altered", "has another audience", { audience: OTHER }),
  altered("1:challenge_altered", "has no audience", { audience: undefined }),
  altered("1:challenge_altered", "ends later", { expiresAt: "2099-01-01T00:00:00.000Z" }),
  altered("1:challenge_altered", "has another issuedAt", { issuedAt: "2020-01-01T00:00:00.000Z" }),
  altered("1:challenge_altered", "has no times", { issuedAt: undefined, expiresAt: undefined }),
  altered("1:challenge_altered", "has one member more", { deploymentEname: OTHER }),
  [
    "the answer is sent to another owner",
    "1:audience_mismatch",
    (presented) => {
      presented.audience = OTHER;
    },
  ],
  [
    "the answer is sent to another owner, whom the challenge in it names",
    "1:audience_mismatch",
    (presented) => {
      presented.audience = OTHER;
      presented.challenge["audience"] = OTHER;
    },
  ],
  [
    "the challenge is signed by another key",
    "1:signature_invalid",
    async (presented, { attacker }) => {
      const payload = await handshakePayload(presented.challenge as unknown as HandshakeChallenge);
      presented.signature = await attacker.platform.deploymentKey.signText(payload);
    },
  ],
  [
    "another challenge is signed",
    "1:signature_invalid",
    async (presented, { platform }) => {
      const other = { ...(presented.challenge as unknown as HandshakeChallenge), nonce: "y".repeat(43) };
      presented.signature = await platform.deploymentKey.signText(await handshakePayload(other));
    },
  ],
  [
    "the nonce alone is signed",
    "1:signature_invalid",
    async (presented, { platform }) => {
      presented.signature = await platform.deploymentKey.signText(String(presented.challenge["nonce"]));
    },
  ],
  ...["", "x", "A".repeat(86), "z".repeat(160), "A".repeat(100_000)].map(
    (signature): Mutation => [
      `the signature is ${JSON.stringify(signature.slice(0, 12))} (${signature.length} characters)`,
      "1:signature_invalid",
      (presented) => {
        presented.signature = signature;
      },
    ],
  ),
  [
    "the evidence names the attacker's key, which signs the challenge",
    "1:key_mismatch",
    async (presented, { attacker }) => {
      const key = attacker.platform.deploymentKey;
      presented.evidence["publicKey"] = key.publicKey;
      const payload = await handshakePayload(presented.challenge as unknown as HandshakeChallenge);
      presented.signature = await key.signText(payload);
    },
  ],
];
