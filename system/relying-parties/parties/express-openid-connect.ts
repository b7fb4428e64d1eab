import { once } from "node:events";
import express from "express";
import type { ConnectionValues, RelyingParty } from "../relying-party.ts";

/** Starts an Express application with express-openid-connect. It expects RS256 unless ES256 is configured. */
export async function startExpress({ issuer, client, origin }: ConnectionValues): Promise<RelyingParty> {
  // It requires ES modules that other imports load at the same time, which Node refuses.
  const { auth } = await import("express-openid-connect");
  const app = express();
  app.use(
    auth({
      issuerBaseURL: issuer,
      baseURL: origin,
      clientID: client.id,
      clientSecret: client.secret,
      clientAuthMethod: "client_secret_basic",
      secret: "a-secret-of-the-application-0123456789",
      idTokenSigningAlg: "ES256",
      authorizationParams: { response_type: "code", scope: "openid profile email" },
    }),
  );
  app.get("/", (request, response) => {
    response.send(`sub=${request.oidc.user?.["sub"]}`);
  });
  const server = app.listen(Number(new URL(origin).port), "127.0.0.1");
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
