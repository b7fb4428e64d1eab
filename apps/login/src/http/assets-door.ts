import { readFileSync } from "node:fs";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { LOGIN_SCRIPT, LOGIN_STYLE } from "../pages/login-files.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const FOREVER = "public, max-age=31536000, immutable";
const FIVE_MINUTES = "public, max-age=300";

/**
 * Serves what login pages and wallets load: the connector's own logo under three names, clients' logos, one stylesheet, one script.
 *
 * Refuses: NOT_FOUND for a client without a logo. Source: S2 "Endpoints"; decision L10.
 */
export function mountAssets(
  app: FastifyInstance,
  { findLogo }: { readonly findLogo: (clientId: string) => Promise<Uint8Array | undefined> },
): void {
  const logo = readFileSync(new URL("../../assets/logo.png", import.meta.url));
  for (const name of ["/logo.png", "/apple-touch-icon.png", "/favicon.ico"]) {
    app.get(name, async (_request, reply) => sendImage(reply, logo));
  }
  for (const { address, type, bytes } of [LOGIN_STYLE, LOGIN_SCRIPT]) {
    app.get(address, async (_request, reply) =>
      reply.header("cache-control", FOREVER).header("x-content-type-options", "nosniff").type(type).send(bytes),
    );
  }
  app.get("/clients/:id/logo.png", async (request: FastifyRequest<{ Params: { readonly id: string } }>, reply) => {
    const found = await findLogo(request.params.id);
    if (found === undefined) throw new Refusal("NOT_FOUND", "This client has no logo.", { status: 404 });
    return sendImage(reply, Buffer.from(found));
  });
}

function sendImage(reply: FastifyReply, bytes: Buffer): FastifyReply {
  return reply
    .header("cache-control", FIVE_MINUTES)
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .type("image/png")
    .send(bytes);
}
