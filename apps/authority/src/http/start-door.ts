import { findReadinessFault } from "@dataspace/service-kit/monitoring/readiness";
import { type FrontDoor, mountFrontDoor } from "@dataspace/ui/front-door";
import type { Ui } from "@dataspace/ui/ui";
import type { FastifyInstance } from "fastify";

const TEXT = "Reviews releases of platforms, and issues and revokes their certificates.";
const LINKS: FrontDoor["links"] = [
  {
    name: "review",
    href: "/review",
    icon: "clipboard-document",
    title: "Review",
    text: "Where reviewers decide about submissions and certificates.",
  },
  {
    name: "docs",
    href: "/docs",
    icon: "book-open",
    title: "Reference",
    text: "Every endpoint with examples.",
  },
  {
    name: "checkpoint",
    href: "/log/checkpoint",
    icon: "queue-list",
    title: "Log",
    text: "The signed state of the log of all certificates.",
  },
  {
    name: "entries",
    href: "/log/entries?from=0&limit=10",
    icon: "document-text",
    title: "Log entries",
    text: "The first certificates in the log, as JSON.",
  },
  {
    name: "jwks",
    href: "/.well-known/jwks.json",
    icon: "key",
    title: "Public keys",
    text: "The keys that verify certificates.",
  },
  {
    name: "health",
    href: "/healthz",
    icon: "signal",
    title: "Health",
    text: "Whether this process answers.",
  },
];

/** GET /: what an authority is and where to go, as a page or as JSON. Refuses: never. */
export function mountStart(app: FastifyInstance, ui: Ui): void {
  mountFrontDoor(app, ui, { service: "authority", text: TEXT, links: LINKS, findFault: () => findReadinessFault(app) });
}
