import { loginRefusal } from "../errors.ts";
import type { OpCore } from "../provider/op-core.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const METHODS: Readonly<Record<string, readonly ("GET" | "POST")[]>> = {
  "/.well-known/openid-configuration": ["GET"],
  "/jwks": ["GET"],
  "/token": ["POST"],
  "/userinfo": ["GET", "POST"],
};
/** The library's parsing of a query takes time that grows with the square of the number of parameters. */
const MOST_PARAMETERS = 100;

/**
 * Serves the protocol's endpoints. The library reads their bodies itself, within its own limit of 56 KiB.
 *
 * In: `countStart` limits how many logins an address starts. Refuses: BAD_REQUEST for a query of more than 100
 * parameters, RATE_LIMITED; otherwise as RFC 6749 and OpenID Connect Core say.
 * Source: S2 "Endpoints"; decisions L5, L12, V25.
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
    scope.addHook("onRequest", async ({ url }) => assertFewParameters(url));
    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.hijack();
      await core.handle(request.raw, reply.raw);
      return reply;
    };
    for (const [url, methods] of Object.entries(METHODS)) {
      scope.route({ method: [...methods], url, handler: handle });
      const allow = [...methods, "OPTIONS"].join(", ");
      scope.options(url, async (request, reply) =>
        isPreflight(request) ? handle(request, reply) : reply.code(204).header("allow", allow).send(),
      );
    }
    scope.route({ method: ["GET", "POST"], url: "/authorize", onRequest: countStart, handler: handle });
    done();
  });
}

function assertFewParameters(url: string): void {
  let count = 1;
  for (let at = url.indexOf("&"); at !== -1; at = url.indexOf("&", at + 1)) count += 1;
  if (count > MOST_PARAMETERS) throw loginRefusal("BAD_REQUEST", `Send at most ${MOST_PARAMETERS} parameters.`);
}

/** The protocol answers no other OPTIONS request. Source: Fetch 3.3.2. */
function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}
