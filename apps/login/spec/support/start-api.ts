import type { TestContext } from "node:test";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import type { TestDatabase } from "@dataspace/service-kit/testing/test-database";
import { loginRefusal } from "../../src/errors.ts";
import { ADA, startLogin, type TestLogin } from "./start-login.ts";

const BOB: EName = parseEName("@99999999-2222-4333-8444-555555555555");

/** What a test may choose. */
export interface ApiChoices {
  readonly database?: TestDatabase;
  readonly perAddress?: number;
}

/** Starts a connector that believes tokens of the form `ada.number` and `bob.number`. */
export async function startApi(t: TestContext, { database, perAddress = 0 }: ApiChoices = {}): Promise<TestApi> {
  const issuedAtSeconds = Math.floor(Date.now() / 1000);
  const enames: Readonly<Record<string, EName>> = { ada: ADA, bob: BOB };
  const login = await startLogin(t, {
    ...(database === undefined ? {} : { database }),
    limits: { pendingLogins: 100, startsPerMinute: 0, clientsPerHour: 3, perAddress },
    verifyWalletToken: async (token, audience) => {
      const [name = "", jti = ""] = String(token).split(".");
      verified += 1;
      const ename = enames[name];
      if (ename === undefined) throw loginRefusal("INVALID_TOKEN", "The token is not signed.");
      return { ename, audience, issuedAtSeconds, expiresAtSeconds: issuedAtSeconds + 300, jti, keyId: "default" };
    },
  });
  let number = 0;
  let verified = 0;
  const ask = async (method: string, path: string, { by = "ada", body, token }: Ask = {}) => {
    number += 1;
    const isBytes = body instanceof Uint8Array;
    const answer = await fetch(`${login.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token ?? `${by}.${number}`}`,
        ...(body === undefined ? {} : { "content-type": isBytes ? "image/png" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === "" ? undefined : JSON.parse(text) };
  };
  return { login, ask, verified: () => verified };
}

/** What a request sends. Without `token` it is a new one of `by`. */
export interface Ask {
  readonly by?: string;
  readonly token?: string;
  readonly body?: unknown;
}

/** The management API, and how a script asks it. `verified` counts the tokens that were verified. */
export interface TestApi {
  readonly login: TestLogin;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly ask: (method: string, path: string, sent?: Ask) => Promise<{ readonly status: number; readonly json: any }>;
  readonly verified: () => number;
}
