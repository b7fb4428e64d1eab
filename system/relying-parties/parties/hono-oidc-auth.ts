import { once } from "node:events";
import { createServer } from "node:http";
import { getAuth, initOidcAuthMiddleware, oidcAuthMiddleware, processOAuthCallback } from "@hono/oidc-auth";
import { Hono } from "hono";
import type { ConnectionValues, RelyingParty } from "../relying-party.ts";

/** Starts a Hono application with @hono/oidc-auth. It sends PKCE by itself and asks for all scopes that discovery lists. */
export async function startHono({ issuer, client, origin }: ConnectionValues): Promise<RelyingParty> {
  const app = new Hono();
  app.use(
    "*",
    initOidcAuthMiddleware({
      OIDC_AUTH_SECRET: "a-secret-of-the-application-0123456789",
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_REDIRECT_URI: client.redirectUri,
    }),
  );
  app.get("/callback", (context) => processOAuthCallback(context));
  app.use("*", oidcAuthMiddleware());
  app.get("/", async (context) => context.text(`sub=${(await getAuth(context))?.sub}`));
  const server = createServer(async (request, response) => {
    const headers = new Headers({ cookie: request.headers.cookie ?? "" });
    const answer = await app.fetch(new Request(new URL(request.url ?? "/", origin), { headers }));
    const others = [...answer.headers].filter(([name]) => name !== "set-cookie");
    response.writeHead(answer.status, { ...Object.fromEntries(others), "set-cookie": answer.headers.getSetCookie() });
    response.end(await answer.text());
  });
  server.listen(Number(new URL(origin).port), "127.0.0.1");
  await once(server, "listening");
  return {
    url: origin,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
