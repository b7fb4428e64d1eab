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
    says: "Delivers events to subscribers: settings, wiring, specification tests (spec/).",
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
    says: "All refusals of the awareness service in one table.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "awareness/input",
    at: at("read-input.ts"),
    says: "Reads input by a schema, or refuses it and names what is wrong.",
    mayImport: ["protocol", "service-kit", "awareness/errors"],
    outside: ["zod"],
  },
  {
    room: "awareness/http",
    at: at("http"),
    says: "Doors: HTTP in, HTTP out.",
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
    says: "The OpenAPI document, and the reference page that is made from it.",
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
    says: "What an event is, and whether it was received before; pure.",
    mayImport: ["protocol", "awareness/matching", "awareness/errors"],
    outside: ["zod"],
  },
  {
    room: "awareness/ingest",
    at: at("ingest"),
    says: "Receives events from vaults: checks, stores, matches and queues them in one transaction.",
    mayImport: ["protocol", "clients", "service-kit", "awareness/events", "awareness/matching", "awareness/store"],
    outside: ["lru-cache"],
  },
  {
    room: "awareness/matching",
    at: at("matching"),
    says: "Which subscriptions match an event, and who may receive it; pure.",
    mayImport: ["protocol", "access"],
    outside: [],
  },
  {
    room: "awareness/consumers",
    at: at("consumers"),
    says: "Identification of consumers: API keys and wallet tokens become a Consumer.",
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
    says: "Subscriptions: filters, targets and signing secrets.",
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
    says: "Webhooks out: signing, sending, retries, dead letters, redrive and replay.",
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
    says: "All events in one order, limited to what a consumer may receive.",
    mayImport: ["service-kit", "awareness/matching", "awareness/visibility", "awareness/store"],
    outside: [],
  },
  {
    room: "awareness/visibility",
    at: at("visibility"),
    says: "Which records a consumer may receive now: decided in bounded parts, cached.",
    mayImport: ["service-kit", "awareness/matching", "awareness/store"],
    outside: ["node:crypto", "node:timers/promises", "lru-cache"],
  },
  {
    room: "awareness/portal",
    at: at("portal"),
    says: "Web pages on which consumers manage their subscriptions: sign-in by wallet, forms, views.",
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
