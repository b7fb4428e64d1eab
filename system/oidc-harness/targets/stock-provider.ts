import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "@dataspace/login/provider/library";
import { findFreePort } from "../find-free-port.ts";
import type { Target, TestClient } from "../target.ts";
import { createAgingStore } from "./aging-store.ts";
import type { ClientMetadata, Configuration, JWK } from "oidc-provider";

const CLIENT = toClient("control");
const OTHER_CLIENT = toClient("other");
const CLAIMS = { name: "Ada Lovelace", email: "ada@example.org", email_verified: false };

/**
 * Starts a stock `oidc-provider`, the control: its own login pages, sessions, consent and RS256. PKCE is required, and `/authorize`
 * takes POST, as in ours.
 */
export async function startStockProvider(): Promise<Target> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const store = createAgingStore();
  const { warn } = console;
  // The library warns that its login pages are for development.
  console.warn = () => undefined;
  const provider = new Provider(issuer, { ...configuration(), adapter: store.adapterOf });
  console.warn = warn;
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    issuer,
    client: CLIENT,
    otherClient: OTHER_CLIENT,
    signIn: async (browser, start) => {
      let page = start;
      for (let forms = 0; forms < 2 && page.kind === "page"; forms += 1) {
        const [, action] = /<form[^>]* action="([^"]+)"/.exec(page.html) ?? [];
        const [, prompt] = /name="prompt" value="(\w+)"/.exec(page.html) ?? [];
        if (action === undefined || prompt === undefined) return page;
        page = await browser.open(action, new URLSearchParams({ prompt, login: "ada", password: "any" }));
      }
      return page;
    },
    // auth_time has the precision of a second, and is the machine's.
    wait: async (seconds) => {
      if (seconds > 2) store.age(seconds);
      else await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function configuration(): Configuration {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return {
    jwks: { keys: [{ ...(privateKey.export({ format: "jwk" }) as JWK), kid: "control", use: "sig" }] },
    clients: [CLIENT, OTHER_CLIENT].map(
      ({ id, secret, redirectUri, otherRedirectUri }): ClientMetadata => ({
        client_id: id,
        client_secret: secret,
        redirect_uris: [redirectUri, otherRedirectUri],
        grant_types: ["authorization_code", "refresh_token"],
      }),
    ),
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    findAccount: async (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...CLAIMS }) }),
    pkce: { required: () => true },
    cookies: { keys: ["control"], long: { sameSite: "none", signed: true } },
    enableHttpPostMethods: true,
  };
}

function toClient(id: string): TestClient {
  const redirectUri = `https://rp.example/${id}`;
  return { id, secret: `secret-of-${id}`, redirectUri, otherRedirectUri: `${redirectUri}/other` };
}
