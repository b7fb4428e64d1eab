import type { OpCore } from "../provider/op-core.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const ENDPOINTS = ["/.well-known/openid-configuration", "/jwks", "/token", "/userinfo"];

/**
 * Serves the protocol's endpoints. Their bodies are read by the protocol itself, within its own bound of 56 KiB.
 *
 * In: `countStart` limits how many logins an address starts. Refuses: RATE_LIMITED; otherwise as RFC 6749 and OpenID Connect Core say.
 * Source: S2 "Endpoints"; decisions L5, L12.
 */
export function mountProtocolDoor(
  app: FastifyInstance,
  {
    core,
    countStart,
  }: { readonly core: Pick<OpCore, "handle">; readonly countStart: (request: FastifyRequest) => Promise<void> },
): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.hijack();
      await core.handle(request.raw, reply.raw);
      return reply;
    };
    for (const url of ENDPOINTS) scope.route({ method: ["GET", "POST", "OPTIONS"], url, handler: handle });
    scope.route({ method: ["GET", "POST"], url: "/authorize", onRequest: countStart, handler: handle });
    done();
  });
}
