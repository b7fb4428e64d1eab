import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { loginRefusal } from "../errors.ts";
import type { OpCore, PageAnswer } from "../provider/op-core.ts";
import { sendLoginPage } from "./send-login-page.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const METHODS: Readonly<Record<string, readonly ("GET" | "POST")[]>> = {
  "/.well-known/openid-configuration": ["GET"],
  "/jwks": ["GET"],
  "/token": ["POST"],
  "/userinfo": ["GET", "POST"],
};
/** The protocol's reading of a query takes time that grows with the square of the number of parameters. */
const MOST_PARAMETERS = 100;

/** What the protocol's endpoints work with. */
export interface ProtocolDoorDeps {
  readonly core: Pick<OpCore, "handle">;
  /** Counts a login that an address starts. Refuses: RATE_LIMITED. */
  readonly countStart: (request: FastifyRequest) => Promise<void>;
  /** Writes the page for an address that starts too many logins. */
  readonly showBusy: (headers: IncomingHttpHeaders) => Promise<PageAnswer>;
}

/**
 * Serves the protocol's endpoints. Their bodies are read by the protocol itself, within its own bound of 56 KiB.
 *
 * Refuses: BAD_REQUEST for a query of more than 100 parameters,
 * RATE_LIMITED (429) in the form of RFC 6749, at /authorize as a page; otherwise as RFC 6749 and OpenID Connect Core say.
 * Source: S2 "Endpoints"; decisions L5, L12, V25.
 */
export function mountProtocolDoor(app: FastifyInstance, { core, countStart, showBusy }: ProtocolDoorDeps): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.addHook("onRequest", async ({ url }) => assertFewParameters(url));
    scope.setErrorHandler(async (error, _request, reply) => {
      if (!isTooMany(error)) throw error;
      // Libraries of clients read `error` as text.
      const body = { error: "temporarily_unavailable", error_description: error.message };
      return reply.code(error.status).send(body);
    });
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
    scope.route({
      method: ["GET", "POST"],
      url: "/authorize",
      onRequest: countStart,
      handler: handle,
      errorHandler: async (error, request, reply) => {
        if (!isTooMany(error)) throw error;
        return sendLoginPage(reply, await showBusy(request.headers));
      },
    });
    done();
  });
}

function assertFewParameters(url: string): void {
  let count = 1;
  for (let at = url.indexOf("&"); at !== -1; at = url.indexOf("&", at + 1)) count += 1;
  if (count > MOST_PARAMETERS) throw loginRefusal("BAD_REQUEST", `Send at most ${MOST_PARAMETERS} parameters.`);
}

function isTooMany(error: unknown): error is Refusal {
  return error instanceof Refusal && error.status === 429;
}

/** The protocol answers nothing else that comes by OPTIONS. Source: Fetch 3.3.2. */
function isPreflight({ headers }: FastifyRequest): boolean {
  return Boolean(headers.origin) && Boolean(headers["access-control-request-method"]);
}
