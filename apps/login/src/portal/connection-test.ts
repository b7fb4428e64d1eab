import { createHash } from "node:crypto";
import { randomText } from "@dataspace/wallet-login/pending-login";
import { createRemoteJWKSet, customFetch, jwtVerify } from "jose";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { LoginClient } from "../clients/client-rows.ts";
import { STEP_TEXTS, TEST_FAULT_TEXTS } from "./connection-test-texts.ts";

/** One step of a test: what was tried, and what came of it. `claims` are those of the ID token. */
export interface TestStep {
  readonly name: string;
  readonly fault?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A test that waits for a wallet: what to show, and what to go on with. */
export interface StartedTest {
  readonly clientId: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly walletUri: string;
  readonly loginUrl: string;
  readonly cookie: string;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

/** A test as it stands: waiting for a wallet, or finished with its steps. */
export type ConnectionTest =
  | { readonly started: StartedTest; readonly steps: readonly TestStep[] }
  | { readonly steps: readonly TestStep[] };

const TIMEOUT_MS = 5_000;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/**
 * Starts a real login of a client over HTTP, as its identity provider would: discovery, then an authorization request with PKCE.
 *
 * In: `fetch` reaches the issuer as anybody does. Out: the test, which waits for a wallet unless a step failed. Refuses: never.
 * Source: S2 "Login flow", "IdP connection values".
 */
export async function startConnectionTest(
  fetch: Fetch,
  {
    issuer,
    client,
    secret,
    redirectUri,
  }: { readonly issuer: string; readonly client: LoginClient; readonly secret: string; readonly redirectUri: string },
): Promise<ConnectionTest> {
  const found = await attempt(STEP_TEXTS.discovery, async () => {
    const document = (await getJson(fetch, `${issuer}/.well-known/openid-configuration`)) as { issuer?: unknown };
    if (document.issuer !== issuer) throw new Error(TEST_FAULT_TEXTS.otherIssuer(String(document.issuer), issuer));
  });
  if (found.fault !== undefined) return { steps: [found] };
  const [verifier, state, nonce] = [randomText(), randomText(), randomText()];
  const parameters = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid profile email",
    state,
    nonce,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  let started: StartedTest | undefined;
  const asked = await attempt(STEP_TEXTS.authorize, async () => {
    const answer = await ask(fetch, `${issuer}/authorize?${parameters}`);
    const page = await answer.text();
    const walletUri = findAttribute(page, 'href="ds://auth?')?.replaceAll("&amp;", "&");
    const path = findAttribute(page, 'data-next="/login/');
    if (walletUri === undefined || path === undefined) throw new Error(TEST_FAULT_TEXTS.noLoginPage(answer.status));
    const cookie = (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
    const loginUrl = `${issuer}${path}`;
    started = { clientId: client.clientId, secret, redirectUri, walletUri, loginUrl, cookie, verifier, state, nonce };
  });
  return started === undefined ? { steps: [found, asked] } : { started, steps: [found, asked] };
}

/** Looks whether the wallet has signed. Out: the state of the login. Refuses: never; what cannot be asked is pending. */
export async function lookAtTest(fetch: Fetch, { loginUrl, cookie }: StartedTest): Promise<string> {
  try {
    const { state } = (await getJson(fetch, `${loginUrl}/state`, { cookie })) as { state?: string };
    return state ?? "pending";
  } catch {
    return "pending";
  }
}

/**
 * Goes on with a signed login to its end: the code, the tokens, the ID token's check and userinfo. It stops at the first step that
 * fails and says why.
 *
 * Refuses: never. Source: S2 "Login flow", 4 and 5; OpenID Connect Core 3.1.3.7.
 */
export async function finishConnectionTest(
  fetch: Fetch,
  issuer: string,
  test: StartedTest,
): Promise<readonly TestStep[]> {
  const steps: TestStep[] = [{ name: STEP_TEXTS.wallet }];
  const step = async <Value>(name: string, run: () => Promise<Value>): Promise<Value | undefined> => {
    if (steps.some(({ fault }) => fault !== undefined)) return undefined;
    let value: Value | undefined;
    const outcome = await attempt(name, async () => {
      value = await run();
    });
    steps.push(outcome);
    return value;
  };
  const code = await step(STEP_TEXTS.return, () => collectCode(fetch, issuer, test));
  const tokens = await step(STEP_TEXTS.exchange, () => exchange(fetch, issuer, { test, code: code ?? "" }));
  const claims = await step(STEP_TEXTS.idToken, async () => {
    const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`), { [customFetch]: (url, init) => fetch(url, init) });
    const options = { issuer, audience: test.clientId, algorithms: ["ES256"] };
    const { payload } = await jwtVerify(tokens?.id_token ?? "", keys, options);
    if (payload["nonce"] !== test.nonce) throw new Error(TEST_FAULT_TEXTS.otherNonce);
    return payload;
  });
  const info = await step(STEP_TEXTS.userinfo, () =>
    getJson(fetch, `${issuer}/userinfo`, { authorization: `Bearer ${tokens?.access_token ?? ""}` }),
  );
  if ((info as { sub?: unknown } | undefined)?.sub === claims?.sub && claims !== undefined) {
    return steps.map((done) => (done.name === STEP_TEXTS.idToken ? { ...done, claims } : done));
  }
  return steps;
}

async function collectCode(
  fetch: Fetch,
  issuer: string,
  { loginUrl, cookie, redirectUri, state }: StartedTest,
): Promise<string> {
  // Also where the client asks people to confirm each login.
  const answer = await ask(fetch, `${loginUrl}/continue`, {
    method: "POST",
    headers: { cookie, ...FORM },
    body: "",
  });
  const location = answer.headers.get("location");
  if (location === null || !location.startsWith(redirectUri))
    throw new Error(TEST_FAULT_TEXTS.ledTo(location ?? TEST_FAULT_TEXTS.noAddress));
  const { searchParams } = new URL(location);
  const error = searchParams.get("error");
  if (error !== null) throw new Error(TEST_FAULT_TEXTS.refused(error, searchParams.get("error_description") ?? ""));
  if (searchParams.get("state") !== state) throw new Error(TEST_FAULT_TEXTS.otherState);
  if (searchParams.get("iss") !== issuer) throw new Error(TEST_FAULT_TEXTS.otherIss);
  return searchParams.get("code") ?? "";
}

async function exchange(
  fetch: Fetch,
  issuer: string,
  { test, code }: { readonly test: StartedTest; readonly code: string },
): Promise<{ readonly id_token: string; readonly access_token: string }> {
  const credentials = [test.clientId, test.secret].map(encodeURIComponent).join(":");
  const answer = await ask(fetch, `${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: test.redirectUri,
      code_verifier: test.verifier,
    }),
  });
  if (answer.status === 401) throw new Error(TEST_FAULT_TEXTS.otherSecret);
  const body = (await answer.json()) as { id_token: string; access_token: string; error?: string };
  if (answer.status !== 200) throw new Error(TEST_FAULT_TEXTS.answered(answer.status, body.error ?? ""));
  return body;
}

async function attempt(name: string, run: () => Promise<void>): Promise<TestStep> {
  try {
    await run();
    return { name };
  } catch (error) {
    return { name, fault: TEST_FAULT_TEXTS.failed(name, error instanceof Error ? error.message : String(error)) };
  }
}

async function getJson(fetch: Fetch, url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await ask(fetch, url, { headers });
  if (answer.status !== 200) throw new Error(TEST_FAULT_TEXTS.pathAnswered(new URL(url).pathname, answer.status));
  return answer.json();
}

function ask(fetch: Fetch, url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** The value of the first attribute that begins so. In: `start`, its name, the quotation mark, and how the value begins. */
function findAttribute(page: string, start: string): string | undefined {
  const at = page.indexOf(start);
  const from = at + start.indexOf('"') + 1;
  return at === -1 ? undefined : page.slice(from, page.indexOf('"', from));
}
