import { mountDocs } from "@dataspace/docs-site/mount-docs";
import { galleryPage } from "@dataspace/ui/gallery/gallery-page";
import { sendPage } from "@dataspace/ui/mount-ui";
import type { Ui } from "@dataspace/ui/ui";
import { CHECKOUT_DIRECTORY } from "../checkout.ts";
import { readDemoIdentities } from "../read-demo-identities.ts";
import type { Environment } from "../service.ts";
import { mountDemoPeople } from "./demo-people-door.ts";
import { homePage } from "./home-page.ts";
import type { FastifyInstance } from "fastify";

/**
 * Serves what only the development stack has, beside the sandbox: `GET /home`, the documentation at `GET /docs`, the design
 * system at `GET /ui`, and the demo people.
 *
 * In: `env`, the settings of the stack; the addresses in it are read at each request. Refuses: never. Source: decision P5.
 */
export function mountHome(app: FastifyInstance, ui: Pick<Ui, "render">, env: Environment): void {
  const address = (name: string): string => env[name] ?? "";
  app.get("/home", async (_request, reply) => {
    const at = {
      registry: address("DS_REGISTRY_URL"),
      vault: address("DS_VAULT_URL"),
      awareness: address("DS_AWARENESS_URL"),
      login: address("DS_OIDC_ISSUER"),
      authority: address("DS_AUTHORITY_URL"),
    };
    const people = readDemoIdentities(address("DS_DATA_DIR"));
    return sendPage(reply, await ui.render(homePage(at, people)));
  });
  mountDemoPeople(app, env);
  mountDocs(app, ui, CHECKOUT_DIRECTORY);
  app.get<{ Querystring: Record<string, unknown> }>("/ui", async ({ query }, reply) => {
    const theme = typeof query["theme"] === "string" ? query["theme"] : undefined;
    const example = { name: "Amina Diallo", ename: "@e4d909c2-90d7-4b1b-a7c9-3f6c1f2b8a10", nowMs: Date.now() };
    return sendPage(reply, await ui.render(galleryPage({ home: "/home", at: "/ui", theme, example })));
  });
}
