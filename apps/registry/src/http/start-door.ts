import { findReadinessFault } from "@dataspace/service-kit/monitoring/readiness";
import { type FrontDoor, mountFrontDoor } from "@dataspace/ui/front-door";
import type { Ui } from "@dataspace/ui/ui";
import type { FastifyInstance } from "fastify";

const TEXT = "Finds the vault of a person and signs which keys belong to whom.";
const LINKS: FrontDoor["links"] = [
  {
    name: "docs",
    href: "/docs",
    icon: "book-open",
    title: "Reference",
    text: "Every endpoint with examples.",
  },
  {
    name: "list",
    href: "/list",
    icon: "queue-list",
    title: "Registered vaults",
    text: "The address of every vault, as JSON.",
  },
  {
    name: "platforms",
    href: "/platforms",
    icon: "squares-2x2",
    title: "Platforms",
    text: "The platforms that registered, as JSON.",
  },
  {
    name: "jwks",
    href: "/.well-known/jwks.json",
    icon: "key",
    title: "Public keys",
    text: "The keys that verify this registry's tokens.",
  },
  {
    name: "health",
    href: "/healthz",
    icon: "signal",
    title: "Health",
    text: "Whether this process answers.",
  },
];

/** GET /: what a registry is and where to go, as a page or as JSON. Refuses: never. */
export function mountStart(app: FastifyInstance, ui: Ui): void {
  mountFrontDoor(app, ui, { service: "registry", text: TEXT, links: LINKS, findFault: () => findReadinessFault(app) });
}
