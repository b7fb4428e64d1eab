// The rooms of the login connector, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

const at = (inner: string): string => `apps/login/src/${inner}`;
const inner = ["errors", "bounded-store", "provider", "logins", "clients", "pages", "http", "portal"];

export const loginRooms: readonly Room[] = [
  {
    room: "login",
    at: "apps/login",
    says: "Login with a wallet, as an OpenID Connect provider: settings, wiring, specification tests (spec/).",
    mayImport: [
      "protocol",
      "clients",
      "clients/verify-ecdsa",
      "outgoing",
      "service-kit",
      "ui",
      "wallet-login",
      ...inner.map((name) => `login/${name}`),
    ],
    outside: ["node:*", "fastify", "jose", "zod"],
  },
  {
    room: "login/errors",
    at: at("errors.ts"),
    says: "All refusals of the login connector in one table.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "login/bounded-store",
    at: at("bounded-store.ts"),
    says: "Values in memory with a lifetime and a bound.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "login/provider",
    at: at("provider"),
    says: "The OpenID Connect protocol: a library behind a small interface.",
    mayImport: ["protocol", "service-kit", "login/bounded-store"],
    outside: ["node:crypto", "node:http", "oidc-provider"],
  },
  {
    room: "login/logins",
    at: at("logins"),
    says: "Pending logins, the check of the wallet's answer, and the signer's profile.",
    mayImport: ["protocol", "clients", "service-kit", "wallet-login", "login/provider", "login/errors"],
    outside: [],
  },
  {
    room: "login/clients",
    at: at("clients"),
    says: "The clients that developers register: validation, secrets, logos, rows.",
    mayImport: ["protocol", "service-kit", "login/errors", "login/bounded-store"],
    outside: ["node:crypto", "sharp"],
  },
  {
    room: "login/pages",
    at: at("pages"),
    says: "The login pages in seven languages.",
    mayImport: ["ui", "login/logins"],
    outside: ["hono", "node:crypto", "node:fs"],
  },
  {
    room: "login/http",
    at: at("http"),
    says: "Doors: HTTP in, HTTP out.",
    mayImport: [
      ...["protocol", "service-kit", "wallet-login"],
      ...["login/errors", "login/logins", "login/pages", "login/provider"],
    ],
    outside: ["fastify", "node:crypto", "node:fs", "node:http"],
  },
  {
    room: "login/portal",
    at: at("portal"),
    says: "The developer portal: sign-in by wallet, and the forms and pages for clients.",
    mayImport: [
      "protocol",
      "clients",
      "service-kit",
      "ui",
      "wallet-login",
      "login/errors",
      "login/bounded-store",
      "login/provider",
      "login/logins",
      "login/clients",
      "login/http",
    ],
    outside: ["fastify", "hono", "jose", "node:crypto"],
  },
];
