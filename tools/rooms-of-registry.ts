// The rooms of the registry, as data; tools/rooms-table.ts lists them among all others.
import { packages, type Room } from "./room.ts";

const inner = ["http", "names", "tokens", "store", "errors", "reference"];

export const registryRooms: readonly Room[] = [
  {
    room: "registry",
    at: "apps/registry",
    says: "Maps eNames to vaults and certifies keys and platforms: settings, wiring, specification tests (spec/).",
    mayImport: [...packages, "api-reference", "ui", ...inner.map((name) => `registry/${name}`)],
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
      "clients",
      "service-kit",
      "ui",
      ...inner.filter((name) => name !== "http" && name !== "reference").map((name) => `registry/${name}`),
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
    mayImport: ["protocol", "clients", "clients/verify-ecdsa", "service-kit", "registry/errors"],
    outside: ["node:crypto", "jose"],
  },
  {
    room: "registry/store",
    at: "apps/registry/src/store",
    says: "The registry's rows in PostgreSQL; its only SQL.",
    mayImport: ["protocol", "service-kit", "registry/names"],
    outside: [],
  },
  {
    room: "registry/reference",
    at: "apps/registry/src/reference",
    says: "The registry's HTTP API as data, from which its reference is made.",
    mayImport: ["api-reference", "registry/errors"],
    outside: ["zod"],
  },
];
