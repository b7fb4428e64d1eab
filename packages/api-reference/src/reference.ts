import { sendPage } from "@dataspace/ui/mount-ui";
import type { NavLink } from "@dataspace/ui/page";
import type { Ui } from "@dataspace/ui/ui";
import type { Api } from "./api.ts";
import { createOpenApiDocument } from "./openapi-document.ts";
import { referencePage } from "./reference-page.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Where a reference is shown: below `at`, such as `/provisioner`, or at the root. Without `publicUrl`, the service's own
 * origin, the addresses are those of the request.
 */
export interface ReferencePlace {
  readonly part: string;
  readonly at?: string;
  readonly nav?: readonly NavLink[];
  readonly publicUrl?: () => string;
}

/**
 * Serves an API's reference: `openapi.json` for tools and `docs` for people. Each is written at its first request at an origin.
 *
 * Refuses: never. Source: OpenAPI Specification 3.1.1.
 */
export function mountReference(
  app: FastifyInstance,
  { ui, api }: { readonly ui: Pick<Ui, "render">; readonly api: Api },
  { part, at = "", nav = [], publicUrl }: ReferencePlace,
): void {
  let known: Written | undefined;
  const writtenFor = ({ protocol, host }: FastifyRequest): Written => {
    const origin = publicUrl?.() ?? `${protocol}://${host}`;
    if (known?.origin !== origin) known = { origin };
    return known;
  };
  app.get(`${at}/openapi.json`, async (request, reply) => {
    const written = writtenFor(request);
    written.json ??= JSON.stringify(createOpenApiDocument(written.origin, api));
    return reply.type("application/json; charset=utf-8").send(written.json);
  });
  app.get(`${at}/docs`, async (request, reply) => {
    const written = writtenFor(request);
    const links = [{ href: `${at}/docs`, text: "Reference", current: true }, ...nav];
    const main = () => referencePage(createOpenApiDocument(written.origin, api), api, `${at}/openapi.json`);
    written.page ??= ui.render({ title: "Reference", part, home: `${at}/docs`, nav: links, main: main() });
    return sendPage(reply, await written.page);
  });
}

/** Both forms at one origin. Of several origins the last one is remembered. */
interface Written {
  readonly origin: string;
  json?: string;
  page?: Promise<string>;
}
