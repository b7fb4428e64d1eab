// The rooms of platform authentication, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

const at = (inner: string): string => `packages/platform-auth/src/${inner}`;

export const platformAuthRooms: readonly Room[] = [
  {
    room: "platform-auth",
    at: "packages/platform-auth",
    says: "What a platform proves about itself, as shapes: evidence, submission, certificate, the six links, the claim.",
    mayImport: ["protocol"],
    outside: [],
    opensInner: true,
  },
  {
    room: "platform-auth/signing",
    at: at("signing"),
    says: "The signing side: challenges, bundles, submissions, certificates.",
    mayImport: ["protocol", "platform-auth"],
    outside: [],
  },
  {
    room: "platform-auth/status",
    at: at("status"),
    says: "Which certificates are revoked: status lists, written and read.",
    mayImport: ["protocol", "platform-auth"],
    outside: ["node:zlib"],
  },
];
