// The rooms of the tests that cause faults in running services, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

export const faultTestRooms: readonly Room[] = [
  {
    room: "crash",
    at: "system/crash",
    says: "Tests with kill -9 at every step of an event's delivery, in separate processes, checked against two logs.",
    mayImport: ["protocol", "receiver", "service-kit", "vault", "system"],
    outside: ["node:*"],
  },
  {
    room: "soak",
    at: "system/soak",
    says: "Load at half of the capacity with a fault at each interval: success, latency, memory, and the checks of the crash tests.",
    mayImport: ["service-kit", "system", "crash"],
    outside: ["node:*"],
  },
  {
    room: "large",
    at: "system/large",
    says: "An upgrade of a table with millions of rows under load, and the export of a vault with a million records.",
    mayImport: ["protocol", "service-kit", "vault", "vault/files", "vault/leaving", "system", "soak"],
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
    room: "rolling-restart",
    at: "system/rolling-restart",
    says: "Two instances of each service restarted in turn behind a proxy, under load.",
    mayImport: ["protocol", "service-kit", "vault", "awareness", "system"],
    outside: ["node:*"],
  },
];
