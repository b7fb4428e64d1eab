// The rooms of the examples, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

export const exampleRooms: readonly Room[] = [
  {
    room: "sample-platform",
    at: "examples/sample-platform",
    says: "A small platform with wallet login, as a starting point for your own.",
    mayImport: ["protocol", "service-kit", "ui", "wallet-login"],
    outside: ["node:crypto", "@fastify/cookie", "fastify", "hono", "lru-cache"],
  },
  {
    room: "certified-platform",
    at: "examples/certified-platform",
    says: "A small platform that proves which release it runs, and reads and writes posts of people.",
    mayImport: ["protocol", "service-kit", "deployment", "wallet", "vault-client"],
    outside: ["node:*"],
  },
];
