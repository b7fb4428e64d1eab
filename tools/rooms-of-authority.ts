// The rooms of the certifying authority, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

const at = (inner: string): string => `apps/authority/src/${inner}`;
const inner = ["errors", "submissions", "decisions", "store", "http", "review", "reference"];

export const authorityRooms: readonly Room[] = [
  {
    room: "authority",
    at: "apps/authority",
    says: "Certifies releases of platforms: settings, wiring, specification tests (spec/).",
    mayImport: [
      ...[
        "protocol",
        "clients",
        "clients/verify-ecdsa",
        "outgoing",
        "service-kit",
        "platform-auth",
        "api-reference",
        "ui",
        "wallet-login",
      ],
      ...inner.map((name) => `authority/${name}`),
    ],
    outside: ["node:*", "fastify", "zod"],
  },
  {
    room: "authority/errors",
    at: at("errors.ts"),
    says: "All refusals of the certifying authority in one table.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "authority/submissions",
    at: at("submissions"),
    says: "What a release submission is, and the check of one.",
    mayImport: ["protocol", "clients", "service-kit", "platform-auth", "authority/errors"],
    outside: [],
  },
  {
    room: "authority/decisions",
    at: at("decisions"),
    says: "What reviewers do: decide, certify, revoke, each written to the log; and the same by a signed request.",
    mayImport: [
      ...["protocol", "clients", "service-kit", "platform-auth"],
      ...["authority/errors", "authority/store", "authority/submissions"],
    ],
    outside: ["node:crypto", "zod"],
  },
  {
    room: "authority/store",
    at: at("store"),
    says: "The authority's rows in PostgreSQL; its only SQL.",
    mayImport: ["protocol", "service-kit", "platform-auth", "authority/submissions"],
    outside: [],
  },
  {
    room: "authority/http",
    at: at("http"),
    says: "Doors: HTTP in, HTTP out.",
    mayImport: [
      ...["protocol", "clients", "service-kit", "ui", "platform-auth"],
      ...["authority/errors", "authority/decisions", "authority/store", "authority/submissions"],
    ],
    outside: ["fastify"],
  },
  {
    room: "authority/review",
    at: at("review"),
    says: "The pages of reviewers: sign-in by wallet, submissions, certificates, the log, and what a wallet signs.",
    mayImport: [
      ...[
        "protocol",
        "clients",
        "clients/verify-ecdsa",
        "service-kit",
        "ui",
        "ui/shapes",
        "platform-auth",
        "wallet-login",
      ],
      ...["authority/errors", "authority/decisions", "authority/store", "authority/submissions", "authority/http"],
    ],
    outside: ["node:crypto", "fastify", "hono"],
  },
  {
    room: "authority/reference",
    at: at("reference"),
    says: "The authority's HTTP API as data, from which its reference is made.",
    mayImport: ["api-reference", "authority/errors"],
    outside: ["zod"],
  },
];
