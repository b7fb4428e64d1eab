import type { Ui } from "./ui.ts";
import type { FastifyInstance, FastifyReply } from "fastify";

const FOREVER = "public, max-age=31536000, immutable";

/** Serves the files that pages load, each under an address with its content's hash. Refuses: never. */
export function mountUi(app: FastifyInstance, ui: Ui): void {
  for (const [address, { type, bytes }] of ui.files) {
    app.get(address, async (_request, reply) =>
      reply.header("cache-control", FOREVER).header("x-content-type-options", "nosniff").type(type).send(bytes),
    );
  }
}

/** What a page may do beyond the default: contact other servers, use the camera, frame a page of its own server. */
export interface PageRights {
  readonly connectTo?: "any";
  readonly frames?: "own";
  readonly camera?: boolean;
}

/**
 * Sends a page with strict headers: it loads nothing from elsewhere, runs no inline script, cannot be framed, is not
 * cached, and sends no referrer.
 *
 * Refuses: never.
 */
export function sendPage(reply: FastifyReply, page: string, rights: PageRights = {}): FastifyReply {
  return setPageHeaders(reply, rights).send(page);
}

/** Sets the headers of a page whose content is sent otherwise. Refuses: never. */
export function setPageHeaders(reply: FastifyReply, rights: PageRights = {}): FastifyReply {
  return reply
    .header("content-security-policy", policyOf(rights))
    .header("x-content-type-options", "nosniff")
    .header("x-frame-options", "DENY")
    .header("referrer-policy", "same-origin")
    .header("cross-origin-opener-policy", "same-origin")
    .header("permissions-policy", `camera=(${rights.camera ? "self" : ""}), microphone=(), geolocation=()`)
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8");
}

// Source: Content Security Policy Level 3.
function policyOf({ connectTo, frames }: PageRights): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src ${connectTo === "any" ? "http: https:" : "'self'"}`,
    ...(frames === "own" ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}
