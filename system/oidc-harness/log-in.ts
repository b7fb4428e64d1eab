import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { type Browser, createBrowser, type Place } from "./browser.ts";
import { metadataText, readMetadata } from "./metadata.ts";
import { type Claims, readIdToken } from "./read-id-token.ts";
import type { Target, TestClient } from "./target.ts";

/** Parameters to add or replace; undefined removes one. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** An authorization request that a browser sent, and where it led. */
export interface Attempt {
  readonly browser: Browser;
  readonly place: Place;
  readonly client: TestClient;
  readonly verifier: string;
  readonly sent: Parameters;
}

/** What differs from the usual request. */
export interface Changes {
  readonly parameters?: Parameters;
  readonly client?: TestClient;
  readonly browser?: Browser;
  readonly method?: "GET" | "POST";
}

/** What `/token` answered. */
export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A finished login. */
export interface LoggedIn {
  readonly attempt: Attempt;
  readonly code: string;
  readonly answer: TokenAnswer;
  readonly claims: Claims;
  readonly accessToken: string;
  readonly idToken: string;
}

/** Sends an authorization request with PKCE S256, state and nonce. Refuses: never for what the provider answers. */
export async function startLogin(target: Target, changes: Changes = {}): Promise<Attempt> {
  const { client = target.client, browser = createBrowser(target.issuer), method = "GET" } = changes;
  const verifier = randomText();
  const sent: Parameters = {
    client_id: client.id,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope: "openid",
    state: randomText(),
    nonce: randomText(),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...changes.parameters,
  };
  const endpoint = metadataText(await readMetadata(target), "authorization_endpoint");
  const query = toQuery(sent);
  const place = await (method === "POST" ? browser.open(endpoint, query) : browser.open(`${endpoint}?${query}`));
  return { browser, place, client, verifier, sent };
}

/** Signs the person in, and takes the code from the answer to the client. Refuses: an AssertionError without a correct answer. */
export async function collectCode(target: Target, attempt: Attempt): Promise<string> {
  const back = await target.signIn(attempt.browser, attempt.place);
  if (back.kind === "page") assert.fail(`the login ends on a page with status ${back.status}`);
  return readCode(target, attempt, back.url);
}

/** Reads the code of an authorization response. Refuses: an AssertionError for an error, or a wrong state or issuer. */
export function readCode(target: Target, { sent }: Attempt, url: URL): string {
  const { searchParams } = url;
  assert.equal(`${url.origin}${url.pathname}`, sent["redirect_uri"], "the answer goes to the redirect URI");
  assert.equal(searchParams.get("error"), null, "the answer is not an error");
  assert.equal(searchParams.get("state"), sent["state"] ?? null, "the state comes back unchanged");
  assert.equal(searchParams.get("iss") ?? target.issuer, target.issuer, "iss names the issuer");
  const code = searchParams.get("code");
  assert.ok(code, "the answer carries a code");
  return code;
}

/** Exchanges a code with the client of an attempt, by HTTP Basic unless `auth` says otherwise. */
export async function exchangeCode(
  target: Target,
  { attempt, code }: { readonly attempt: Attempt; readonly code: string },
  changes: { readonly parameters?: Parameters; readonly client?: TestClient; readonly auth?: "basic" | "post" } = {},
): Promise<TokenAnswer> {
  const { client = attempt.client, auth = "basic" } = changes;
  const credentials = Buffer.from(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`);
  const response = await fetch(metadataText(await readMetadata(target), "token_endpoint"), {
    method: "POST",
    headers: auth === "basic" ? { authorization: `Basic ${credentials.toString("base64")}` } : {},
    body: toQuery({
      grant_type: "authorization_code",
      code,
      redirect_uri: attempt.sent["redirect_uri"],
      code_verifier: attempt.verifier,
      ...(auth === "post" ? { client_id: client.id, client_secret: client.secret } : {}),
      ...changes.parameters,
    }),
  });
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/, "/token answers JSON");
  return { status: response.status, headers: response.headers, body: (await response.json()) as TokenAnswer["body"] };
}

/** Runs a whole login and validates its ID token. Refuses: an AssertionError that names the first wrong thing. */
export async function logIn(
  target: Target,
  changes: Changes & { readonly auth?: "basic" | "post" } = {},
): Promise<LoggedIn> {
  const attempt = await startLogin(target, changes);
  const code = await collectCode(target, attempt);
  const answer = await exchangeCode(
    target,
    { attempt, code },
    changes.auth === undefined ? {} : { auth: changes.auth },
  );
  assert.equal(answer.status, 200, `/token answers ${answer.status} ${JSON.stringify(answer.body)}`);
  assert.match(answer.headers.get("cache-control") ?? "", /no-store/, "no cache keeps tokens");
  const { id_token: idToken, access_token: accessToken, token_type: type } = answer.body;
  assert.equal(String(type).toLowerCase(), "bearer", "token_type is Bearer");
  assert.ok(typeof idToken === "string" && typeof accessToken === "string", "both tokens are there");
  const expected = { clientId: attempt.client.id, nonce: attempt.sent["nonce"] };
  return { attempt, code, answer, accessToken, idToken, claims: await readIdToken(target, idToken, expected) };
}

/** Asserts that `/token` refuses with a status of 400 or 401 and one of these codes. */
export function assertRefused({ status, body }: TokenAnswer, ...codes: readonly string[]): void {
  assert.ok(status === 400 || status === 401, `/token refuses; it answers ${status}`);
  assert.ok(codes.includes(String(body["error"])), `the error is ${codes.join(" or ")}; it is ${body["error"]}`);
}

/** Asserts that a request did not reach a login: it was refused by a page or by one of these errors at the client. */
export function assertNotStarted(attempt: Attempt, ...codes: readonly string[]): void {
  const { place } = attempt;
  if (place.kind === "page") {
    assert.ok(place.status >= 400, `no login page; the status is ${place.status}`);
    return;
  }
  const { searchParams } = place.url;
  assert.equal(searchParams.get("code"), null, "no code is given");
  assert.ok(codes.includes(searchParams.get("error") ?? ""), `the error is ${searchParams.get("error")}`);
  assert.equal(searchParams.get("state"), attempt.sent["state"] ?? null, "the error carries the state");
}

/** Makes 43 random characters. */
export function randomText(): string {
  return randomBytes(32).toString("base64url");
}

function toQuery(parameters: Parameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
