import assert from "node:assert/strict";
import { metadataText, readMetadata } from "./metadata.ts";
import type { Claims } from "./read-id-token.ts";
import type { Target } from "./target.ts";

/** The three ways to send an access token. Source: RFC 6750 2. */
export type Way = "get" | "post-header" | "post-body";

/** Sends an access token to `/userinfo`. */
export async function askUserinfo(target: Target, accessToken: string, way: Way = "get"): Promise<Response> {
  const bearer = { authorization: `Bearer ${accessToken}` };
  const init: Readonly<Record<Way, RequestInit>> = {
    get: { headers: bearer },
    "post-header": { method: "POST", headers: bearer },
    "post-body": { method: "POST", body: new URLSearchParams({ access_token: accessToken }) },
  };
  return fetch(metadataText(await readMetadata(target), "userinfo_endpoint"), init[way]);
}

/** Reads the claims of `/userinfo`. Refuses: an AssertionError unless they are there and of the ID token's person. */
export async function readUserinfo(
  target: Target,
  login: { readonly accessToken: string; readonly claims: Claims },
  way: Way = "get",
): Promise<Claims> {
  const response = await askUserinfo(target, login.accessToken, way);
  assert.equal(response.status, 200, `/userinfo answers ${response.status}`);
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/, "/userinfo answers JSON");
  const claims = (await response.json()) as Claims;
  assert.equal(claims["sub"], login.claims["sub"], "sub of /userinfo is sub of the ID token");
  return claims;
}
