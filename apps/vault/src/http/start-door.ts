import { findReadinessFault } from "@dataspace/service-kit/monitoring/readiness";
import { type FrontDoor, mountFrontDoor } from "@dataspace/ui/front-door";
import type { Ui } from "@dataspace/ui/ui";
import type { FastifyInstance } from "fastify";

const TEXT = "Stores the records of people. Each owner decides which platform may read and write them.";
const LINKS: FrontDoor["links"] = [
  {
    name: "docs",
    href: "/docs",
    icon: "book-open",
    title: "Reference",
    text: "Every endpoint with examples.",
  },
  {
    name: "schema",
    href: "/schema.graphql",
    icon: "code-bracket",
    title: "GraphQL schema",
    text: "Every query and mutation, with comments.",
  },
  { name: "health", href: "/healthz", icon: "signal", title: "Health", text: "Whether this process answers." },
];
const IDE: FrontDoor["links"][number] = {
  name: "ide",
  href: "/graphiql",
  icon: "command-line",
  title: "GraphQL IDE",
  text: "Read and write a vault in the browser, for development.",
};

/** GET /: what a vault service is and where to go, as a page or as JSON. It addresses no owner. Refuses: never. Source: decision V2. */
export function mountStart(app: FastifyInstance, ui: Ui, { ide }: { readonly ide: boolean }): void {
  const links = ide ? [IDE, ...LINKS] : LINKS;
  mountFrontDoor(app, ui, { service: "vault", text: TEXT, links, findFault: () => findReadinessFault(app) });
}
