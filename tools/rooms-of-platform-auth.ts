// The rooms of platform authentication, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

const at = (inner: string): string => `packages/platform-auth/src/${inner}`;

export const platformAuthRooms: readonly Room[] = [
  {
    room: "platform-auth",
    at: "packages/platform-auth",
    says: "What a platform proves about itself, as shapes: evidence, submission, certificate, the six links, the claim.",
    mayImport: ["protocol"],
    outside: [],
    opensInner: true,
  },
  {
    room: "platform-auth/signing",
    at: at("signing"),
    says: "The signing side: challenges, bundles, submissions, certificates.",
    mayImport: ["protocol", "platform-auth"],
    outside: [],
  },
  {
    room: "platform-auth/reading",
    at: at("reading"),
    says: "Evidence as it was presented, read once and member by member; whatever cannot be read is undefined.",
    mayImport: ["protocol", "platform-auth"],
    outside: ["lru-cache", "node:crypto"],
  },
  {
    room: "platform-auth/trust",
    at: at("trust"),
    says: "Where a verifier's trust comes from, the network or given keys; and which certificates are revoked.",
    mayImport: ["protocol", "clients", "platform-auth", "platform-auth/status"],
    outside: ["lru-cache"],
  },
  {
    room: "platform-auth/status",
    at: at("status"),
    says: "Status lists, written and read: a bit for each certificate.",
    mayImport: ["protocol", "platform-auth"],
    outside: ["node:zlib"],
  },
  {
    room: "platform-auth/links",
    at: at("links"),
    says: "The six links of the chain of trust, one file each, and how a link is judged.",
    mayImport: ["protocol", ...["", "/reading", "/trust"].map((inner) => `platform-auth${inner}`)],
    outside: [],
  },
  {
    room: "platform-auth/verifier",
    at: at("verifier"),
    says: "The verifier: a challenge is spent, six links are judged, a claim is made.",
    mayImport: ["protocol", ...["", "/reading", "/trust", "/links"].map((inner) => `platform-auth${inner}`)],
    outside: [],
  },
  {
    room: "platform-auth/challenges",
    at: at("challenges"),
    says: "Challenges in PostgreSQL: issued within limits, answered once.",
    mayImport: ["protocol", "service-kit"],
    outside: [],
  },
  {
    room: "platform-auth/sessions",
    at: at("sessions"),
    says: "Sessions of proven claims: opened, found by their token, bound to a key by DPoP.",
    mayImport: ["protocol", "service-kit", "platform-auth", "platform-auth/reading", "platform-auth/trust"],
    outside: ["lru-cache", "node:crypto"],
  },
  {
    room: "platform-auth/http",
    at: at("http"),
    says: "The two handshake endpoints and all behind them, for any service to serve.",
    mayImport: [
      "clients/verify-ecdsa",
      "service-kit",
      ...["", "/reading", "/challenges", "/sessions", "/trust", "/verifier"].map((inner) => `platform-auth${inner}`),
    ],
    outside: ["fastify", "node:crypto"],
  },
  {
    room: "platform-auth/example",
    at: "packages/platform-auth/example.ts",
    says: "A handshake in one program, for a reader of the README.",
    mayImport: [
      ...["protocol", "clients/verify-ecdsa", "service-kit"],
      ...["", "/signing", "/trust", "/verifier", "/testing"].map((inner) => `platform-auth${inner}`),
    ],
    outside: [],
  },
  {
    room: "platform-auth/testing",
    at: at("testing"),
    says: "What tests need: keys, a platform with valid evidence, changes of it that must fail, a verifier with an attacker.",
    mayImport: [
      ...["protocol", "clients", "clients/verify-ecdsa", "service-kit"],
      ...["", "/signing", "/status", "/trust", "/verifier"].map((inner) => `platform-auth${inner}`),
    ],
    outside: ["node:*"],
  },
  {
    room: "platform-auth/log",
    at: at("log"),
    says: "Append-only logs as Merkle trees: hashes, proofs and their check (RFC 9162); and what reviewers signed under entries.",
    mayImport: ["protocol"],
    outside: ["node:crypto"],
  },
  {
    room: "deployment",
    at: "packages/deployment",
    says: "What a deployment of a platform does: key, authorisation, submission, certificate, handshake, calls.",
    mayImport: ["protocol", "clients", "platform-auth", "wallet", "wallet/node-crypto-key", "vault-client"],
    outside: ["node:*"],
  },
];
