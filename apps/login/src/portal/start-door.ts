import { findReadinessFault } from "@dataspace/service-kit/monitoring/readiness";
import { type FrontDoor, mountFrontDoor } from "@dataspace/ui/front-door";
import type { Ui } from "@dataspace/ui/ui";
import type { FastifyInstance } from "fastify";

const TEXT = "Logs people in to your application with their wallet. It is an OpenID Connect provider.";
const LINKS: FrontDoor["links"] = [
  {
    name: "portal",
    href: "/portal",
    icon: "finger-print",
    title: "Portal",
    text: "Register your application, and test its connection.",
  },
  {
    name: "docs",
    href: "/portal/api",
    icon: "book-open",
    title: "Management API",
    text: "Create and change clients from a script.",
  },
  {
    name: "openapi",
    href: "/api/openapi.json",
    icon: "code-bracket",
    title: "OpenAPI document",
    text: "The management API, for tools.",
  },
  {
    name: "discovery",
    href: "/.well-known/openid-configuration",
    icon: "globe-alt",
    title: "Discovery document",
    text: "What an OpenID Connect client reads first, as JSON.",
  },
  { name: "health", href: "/healthz", icon: "signal", title: "Health", text: "Whether this process answers." },
];

/** GET /: what the login connector is and where to go, as a page or as JSON. Refuses: never. */
export function mountStart(app: FastifyInstance, ui: Ui): void {
  mountFrontDoor(app, ui, { service: "login", text: TEXT, links: LINKS, findFault: () => findReadinessFault(app) });
}
