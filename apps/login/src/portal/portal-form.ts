import { isOwnSite } from "@dataspace/service-kit/http/own-form";
import { createSecret, isTextOf } from "@dataspace/service-kit/secret";
import { loginRefusal } from "../errors.ts";
import type { PortalSession } from "./portal-sessions.ts";
import { PORTAL_TEXTS } from "./portal-texts.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

const FORM_BYTES = 524_288;

/**
 * Makes a scope accept forms: plain ones, and those with a file. Refuses: PAYLOAD_TOO_LARGE above 512 KiB; BAD_REQUEST.
 */
export function acceptPortalForms(scope: FastifyInstance): void {
  const options = { parseAs: "buffer", bodyLimit: FORM_BYTES } as const;
  const types = ["application/x-www-form-urlencoded", "multipart/form-data"];
  scope.addContentTypeParser(types, options, async (request: FastifyRequest, body: Buffer) => {
    try {
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      return await new Response(new Uint8Array(body), { headers }).formData();
    } catch {
      throw loginRefusal("BAD_REQUEST", PORTAL_TEXTS.formUnreadable);
    }
  });
}

/** Returns the fields of a form. Refuses: never; a request without a form has none. */
export function formOf(request: FastifyRequest): FormData {
  return request.body instanceof FormData ? request.body : new FormData();
}

/** Returns a text field of a form, empty where it is absent. Refuses: never. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/**
 * Checks that a request does not begin on another site, as far as the browser says where it began.
 *
 * Refuses: FORBIDDEN. Source: T-71; Fetch Metadata Request Headers 2.1.
 */
export function assertOwnSite(request: FastifyRequest, issuer: string): void {
  if (!isOwnSite(request, (origin) => origin === issuer)) throw foreignForm();
}

/** Checks that a form comes from a page of this session: it carries the session's token. Refuses: FORBIDDEN. Source: T-71. */
export function assertOwnForm(request: FastifyRequest, { formToken }: PortalSession, issuer: string): void {
  assertOwnSite(request, issuer);
  if (!isTextOf(createSecret(formToken), textOf(formOf(request), "token"))) throw foreignForm();
}

function foreignForm(): Error {
  return loginRefusal("FORBIDDEN", PORTAL_TEXTS.formForeign);
}
