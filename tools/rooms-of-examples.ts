// The rooms of the examples, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

const adapter = ["adapter", ...["capture", "operate", "state", "sync"].map((inner) => `adapter/${inner}`)];

export const exampleRooms: readonly Room[] = [
  {
    room: "sample-platform",
    at: "examples/sample-platform",
    says: "A small platform with wallet login, as a starting point for your own.",
    mayImport: ["protocol", "outgoing", "service-kit", "ui", "wallet-login"],
    outside: ["node:crypto", "@fastify/cookie", "fastify", "hono", "lru-cache"],
  },
  {
    room: "social-app",
    at: "examples/social-app",
    says: "The pages of both example platforms: posts, profiles and group chats, on any store and web framework.",
    mayImport: ["protocol", "service-kit", "ui", "wallet-login", "receiver", "adapter", "adapter/sync"],
    outside: ["node:*", "hono"],
  },
  {
    room: "express-platform",
    at: "examples/express-platform",
    says: "Plaza: an example platform on Express, TypeORM and PostgreSQL that syncs with people's vaults.",
    mayImport: ["protocol", "service-kit", "social-app", "wallet-login", "receiver", "vault-client", ...adapter],
    outside: ["node:*", "express", "typeorm"],
  },
  {
    room: "fastify-platform",
    at: "examples/fastify-platform",
    says: "Corner: an example platform on Fastify, Drizzle and SQLite that syncs with people's vaults.",
    mayImport: ["protocol", "service-kit", "social-app", "wallet-login", "receiver", "vault-client", ...adapter],
    outside: ["node:*", "drizzle-orm", "fastify"],
  },
  {
    room: "certified-platform",
    at: "examples/certified-platform",
    says: "A small platform that proves which release it runs, and reads and writes posts of people.",
    mayImport: ["protocol", "clients/verify-ecdsa", "service-kit", "deployment", "wallet", "vault-client"],
    outside: ["node:*"],
  },
];
