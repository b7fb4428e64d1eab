import { findReadinessFault } from "@dataspace/service-kit/monitoring/readiness";
import { type FrontDoor, mountFrontDoor } from "@dataspace/ui/front-door";
import type { Ui } from "@dataspace/ui/ui";
import type { FastifyInstance } from "fastify";

const TEXT = "Sends signed webhooks to platforms when records change.";
const LINKS: FrontDoor["links"] = [
  {
    name: "portal",
    href: "/portal",
    icon: "inbox",
    title: "Portal",
    text: "Subscribe an endpoint and watch its deliveries.",
  },
  {
    name: "docs",
    href: "/docs",
    icon: "book-open",
    title: "Reference",
    text: "Every endpoint with its shapes and codes.",
  },
  {
    name: "openapi",
    href: "/openapi.json",
    icon: "code-bracket",
    title: "OpenAPI document",
    text: "The same reference for programs.",
  },
  {
    name: "webhookKeys",
    href: "/.well-known/webhook-keys",
    icon: "key",
    title: "Webhook keys",
    text: "The keys that verify webhooks.",
  },
  {
    name: "health",
    href: "/healthz",
    icon: "signal",
    title: "Health",
    text: "Whether this process answers.",
  },
];

/** GET /: what the awareness service is and where to go, as a page or as JSON. Refuses: never. */
export function mountStart(app: FastifyInstance, ui: Ui): void {
  mountFrontDoor(app, ui, { service: "awareness", text: TEXT, links: LINKS, findFault: () => findReadinessFault(app) });
}
