import type { Ui } from "@dataspace/ui/ui";
import type { Reference } from "../http/reference-door.ts";
import { groups } from "./groups.ts";
import type { OpenApiDocument } from "./open-api.ts";
import { createOpenApiDocument } from "./openapi-document.ts";
import { referencePage } from "./reference-page.ts";

/**
 * Makes the reference of the service; each form of it is written at its first request.
 *
 * In: `publicUrl`, the service's own origin, which may be known late. Refuses: never.
 */
export function createReference(
  deps: { readonly ui: Pick<Ui, "render"> },
  config: { readonly publicUrl: () => string },
): Reference {
  let made: OpenApiDocument | undefined;
  let json: string | undefined;
  let page: Promise<string> | undefined;
  const document = (): OpenApiDocument => {
    made ??= createOpenApiDocument(config.publicUrl(), groups);
    return made;
  };
  return {
    document: () => {
      json ??= JSON.stringify(document());
      return json;
    },
    page: () => {
      page ??= deps.ui.render({
        title: "Reference",
        part: "awareness",
        home: "/docs",
        nav: [
          { href: "/docs", text: "Reference", current: true },
          { href: "/portal", text: "Portal", current: false },
        ],
        main: referencePage(document()),
      });
      return page;
    },
  };
}
