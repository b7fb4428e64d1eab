import { asksForJson, mountErrorPages } from "@dataspace/ui/front-door";
import { sendPage } from "@dataspace/ui/mount-ui";
import type { Ui } from "@dataspace/ui/ui";
import type { BrowserApp } from "./bundle.ts";
import { brokenPage, type SandboxConnection, sandboxPage } from "./sandbox-page.ts";
import type { FastifyInstance } from "fastify";

/** The page contacts any vault and platform that its visitor names; scripts and styles come from this server only. */
const POLICY = { connectTo: "any", camera: true } as const;

/**
 * GET /: the sandbox itself, or JSON `{service, status, links}` for a program that asks for JSON. Refusals are pages in
 * a browser.
 *
 * In: `app`, undefined where the program could not be bundled. Refuses: never. Source: S3 "Sandbox".
 */
export function mountStart(
  server: FastifyInstance,
  { ui, app }: { readonly ui: Ui; readonly app: Promise<BrowserApp | undefined> },
  connection: SandboxConnection,
): void {
  server.get("/", async (request, reply) => {
    const built = await app;
    reply.header("vary", "Accept");
    // The sandbox is the page, so a program receives JSON only where it names that type.
    if (asksForJson(request)) {
      const { registryUrl: registry, provisionerUrl: provisioner } = connection;
      const status = built === undefined ? "failing" : "ok";
      return { service: "sandbox", status, links: { health: "/healthz", registry, provisioner } };
    }
    if (built === undefined) return sendPage(reply.code(500), await ui.render(brokenPage()));
    return sendPage(reply, await ui.render(sandboxPage(connection, built)), POLICY);
  });
  mountErrorPages(server, ui, "sandbox");
}
