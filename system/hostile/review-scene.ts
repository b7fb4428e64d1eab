import { signSession } from "@dataspace/wallet/sign-session";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "@dataspace/wallet/wallet-key";

/** A reviewer who is signed in at the certifying authority: the visit's cookie, and the token of its forms. */
export interface ReviewScene {
  readonly cookie: string;
  readonly formToken: string;
}

/** Signs a reviewer in. Refuses: an Error when an answer lacks what it should hold. */
export async function prepareReview({
  authorityUrl,
  ename,
  key,
}: {
  readonly authorityUrl: string;
  readonly ename: EName;
  readonly key: WalletKey;
}): Promise<ReviewScene> {
  const shown = await fetch(`${authorityUrl}/review/sign-in`);
  const session = /session=([\w-]{43})/.exec(await shown.text())?.[1] ?? "";
  const answer = { ename, session, signature: await signSession(key, session) };
  const headers = { "content-type": "application/json" };
  const taken = await fetch(`${authorityUrl}/review/callback`, {
    method: "POST",
    headers,
    body: JSON.stringify(answer),
  });
  if (!taken.ok) throw new Error(`/review/callback answered ${taken.status}: ${await taken.text()}`);
  const cookie = await signedCookie(`${authorityUrl}/review/sign-in`, cookiesOf(shown));
  const page = await (await fetch(`${authorityUrl}/review/submissions`, { headers: { cookie } })).text();
  const formToken = /name="token" value="([^"]+)"/.exec(page)?.[1];
  if (formToken === undefined) throw new Error("the review pages show no form");
  return { cookie, formToken };
}

async function signedCookie(url: string, cookie: string): Promise<string> {
  return cookiesOf(await fetch(url, { redirect: "manual", headers: { cookie } }));
}

function cookiesOf({ headers }: Response): string {
  const pairs = headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return pairs.filter((pair) => !pair.endsWith("=")).join("; ");
}
