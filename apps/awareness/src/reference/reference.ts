import type { Reference } from "../http/reference-door.ts";
import { groups } from "./groups.ts";
import { createOpenApiDocument } from "./openapi-document.ts";

/**
 * Makes the reference of the service, written when it is first asked for.
 *
 * In: `publicUrl`, the service's own origin, which may be known late. Refuses: never.
 */
export function createReference(config: { readonly publicUrl: () => string }): Reference {
  let document: string | undefined;
  return {
    document: () => {
      document ??= JSON.stringify(createOpenApiDocument(config.publicUrl(), groups));
      return document;
    },
  };
}
