// The rooms of the awareness service, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

const at = (inner: string): string => `apps/awareness/src/${inner}`;
const inner = [
  "errors",
  "input",
  "http",
  "reference",
  "events",
  "ingest",
  "matching",
  "consumers",
  "subscriptions",
  "delivery",
  "feed",
  "visibility",
  "portal",
  "store",
];

export const awarenessRooms: readonly Room[] = [
  {
    room: "awareness",
    at: "apps/awareness",
    says: "Who hears of which change: settings, wiring, promises (spec/).",
    mayImport: [
      "protocol",
      "access",
      "clients",
      "service-kit",
      "lanes",
      "wallet",
      "ui",
      ...inner.map((name) => `awareness/${name}`),
    ],
    outside: ["node:*", "fastify", "zod"],
  },
  {
    room: "awareness/errors",
    at: at("errors.ts"),
    says: "Every refusal of the awareness service in one table.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "awareness/input",
    at: at("read-input.ts"),
    says: "What comes in is read by a schema, or refused by naming what is wrong with it.",
    mayImport: ["protocol", "awareness/errors"],
    outside: ["zod"],
  },
  {
    room: "awareness/http",
    at: at("http"),
    says: "Doors: bytes in, bytes out.",
    mayImport: [
      "protocol",
      "service-kit",
      "ui",
      ...inner.filter((name) => name !== "http" && name !== "reference").map((name) => `awareness/${name}`),
    ],
    outside: ["node:events", "node:util", "fastify", "zod"],
  },
  {
    room: "awareness/reference",
    at: at("reference"),
    says: "What the service answers to, as data: the OpenAPI document, and the page made of it.",
    mayImport: [
      ...["protocol", "ui"],
      ...["errors", "http", "events", "consumers", "subscriptions", "delivery", "portal", "store"].map(
        (name) => `awareness/${name}`,
      ),
    ],
    outside: ["hono", "zod"],
  },
  {
    room: "awareness/events",
    at: at("events"),
    says: "What an event of a vault is, and whether it was there before; pure.",
    mayImport: ["protocol", "awareness/matching", "awareness/errors"],
    outside: ["zod"],
  },
  {
    room: "awareness/ingest",
    at: at("ingest"),
    says: "Events of vaults in: judged, stored, matched and queued in one transaction.",
    mayImport: ["protocol", "clients", "service-kit", "awareness/events", "awareness/matching", "awareness/store"],
    outside: ["lru-cache"],
  },
  {
    room: "awareness/matching",
    at: at("matching"),
    says: "Who takes part in an event, and who may hear of it; pure.",
    mayImport: ["protocol", "access"],
    outside: [],
  },
  {
    room: "awareness/consumers",
    at: at("consumers"),
    says: "Who asks: API keys and wallet tokens become a consumer.",
    mayImport: [
      "protocol",
      "clients",
      "service-kit",
      ...["matching", "store", "errors", "input"].map((name) => `awareness/${name}`),
    ],
    outside: ["node:crypto", "zod"],
  },
  {
    room: "awareness/subscriptions",
    at: at("subscriptions"),
    says: "What consumers want to hear, where they are told, and the secrets that sign it.",
    mayImport: [
      "protocol",
      "service-kit",
      ...["consumers", "delivery", "store", "errors", "input"].map((name) => `awareness/${name}`),
    ],
    outside: ["node:crypto", "node:net", "lru-cache", "zod"],
  },
  {
    room: "awareness/delivery",
    at: at("delivery"),
    says: "Webhooks out: signed, sent, tried again, given up, sent once more on request.",
    mayImport: [
      "protocol",
      "service-kit",
      "lanes",
      ...["matching", "consumers", "visibility", "store", "input", "errors"].map((name) => `awareness/${name}`),
    ],
    outside: ["node:crypto", "node:timers/promises", "lru-cache", "zod"],
  },
  {
    room: "awareness/feed",
    at: at("feed"),
    says: "All events in one order, and what of it a consumer may hear.",
    mayImport: ["service-kit", "awareness/matching", "awareness/visibility", "awareness/store"],
    outside: [],
  },
  {
    room: "awareness/visibility",
    at: at("visibility"),
    says: "Which records a consumer may be told of now: decided in bounded parts, cached.",
    mayImport: ["service-kit", "awareness/matching", "awareness/store"],
    outside: ["node:crypto", "node:timers/promises", "lru-cache"],
  },
  {
    room: "awareness/portal",
    at: at("portal"),
    says: "Pages on which consumers look after their subscriptions: signing in by wallet, forms, and what they show.",
    mayImport: [
      "protocol",
      "clients",
      "service-kit",
      "ui",
      ...["matching", "consumers", "subscriptions", "delivery", "visibility", "store", "errors", "input"].map(
        (name) => `awareness/${name}`,
      ),
    ],
    outside: ["node:crypto", "@fastify/cookie", "fastify", "hono", "zod"],
  },
  {
    room: "awareness/store",
    at: at("store"),
    says: "The awareness service's rows in PostgreSQL; its only SQL.",
    mayImport: ["protocol", "service-kit", "lanes", "awareness/events", "awareness/matching"],
    outside: ["node:crypto", "node:timers/promises"],
  },
];
