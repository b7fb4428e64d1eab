// The rooms of the platform adapter, as data: part of tools/rooms-table.ts.
import type { Room } from "./room.ts";

const src = "packages/adapter/src";

export const adapterRooms: readonly Room[] = [
  {
    room: "adapter",
    at: "packages/adapter",
    says: "A platform's own database and its users' vaults, synchronised both ways.",
    mayImport: ["receiver", ...["mapping", "state", "sync", "inbound", "outbound"].map((inner) => `adapter/${inner}`)],
    outside: ["node:*"],
  },
  {
    room: "adapter/mapping",
    at: `${src}/mapping`,
    says: "The mapping language: read, checked, and applied to rows and payloads; no I/O.",
    mayImport: ["protocol"],
    outside: ["jsep"],
  },
  {
    room: "adapter/state",
    at: `${src}/state`,
    says: "What the adapter keeps in the platform's database; its only SQL besides triggers and plain tables.",
    // service-kit/testing and pg: for its tests of every kind of database.
    mayImport: ["service-kit/testing"],
    outside: ["node:crypto", "node:sqlite", "pg"],
  },
  {
    room: "adapter/sync",
    at: `${src}/sync`,
    says: "What both directions share: vaults, tables, reports, and which fields of a payload changed.",
    mayImport: ["adapter/mapping", "adapter/state"],
    outside: ["node:async_hooks", "node:util", "drizzle-orm", "typeorm"],
  },
  {
    room: "adapter/inbound",
    at: `${src}/inbound`,
    says: "Events of vaults applied to rows, each once.",
    mayImport: ["protocol", "receiver", "adapter/mapping", "adapter/state", "adapter/sync"],
    outside: ["node:util"],
  },
  {
    room: "adapter/outbound",
    at: `${src}/outbound`,
    says: "Changes of rows sent to vaults, each record created once.",
    mayImport: ["protocol", "lanes", "adapter/mapping", "adapter/state", "adapter/sync", "adapter/inbound"],
    outside: ["node:timers/promises", "node:util"],
  },
  {
    room: "adapter/capture",
    at: `${src}/capture`,
    says: "How changes of rows are noted: triggers, and the transactions of ORMs.",
    mayImport: ["adapter/mapping", "adapter/state", "adapter/sync", "adapter/outbound"],
    outside: ["drizzle-orm", "typeorm"],
  },
  {
    room: "adapter/operate",
    at: `${src}/operate`,
    says: "What a person does with an adapter: try a row, compare, send what is missing, catch up.",
    mayImport: [
      "receiver",
      "clients",
      ...["mapping", "state", "sync", "inbound", "outbound"].map((inner) => `adapter/${inner}`),
    ],
    outside: ["node:timers/promises", "node:util"],
  },
  {
    room: "adapter/bindings",
    at: `${src}/bindings`,
    says: "The webhook handler in frameworks that the receiver has no binding for.",
    mayImport: ["receiver"],
    outside: [],
  },
];
