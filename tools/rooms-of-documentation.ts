// The rooms of references and documentation, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

export const documentationRooms: readonly Room[] = [
  {
    room: "api-reference",
    at: "packages/api-reference",
    says: "An HTTP API's reference, as an OpenAPI document and as a page.",
    mayImport: ["ui"],
    outside: ["fastify", "hono", "zod"],
  },
  {
    room: "docs-site",
    at: "packages/docs-site",
    says: "The repository's Markdown pages as a site with a menu and search.",
    mayImport: ["ui"],
    outside: ["node:fs", "node:path", "fastify", "hono", "markdown-it", "minisearch"],
  },
];
