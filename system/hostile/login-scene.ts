import { createHash } from "node:crypto";
import { signSession } from "@dataspace/wallet/sign-session";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "@dataspace/wallet/wallet-key";

/** A login that waits for a wallet, with the cookie of its browser. */
export interface WaitingLogin {
  readonly id: string;
  readonly session: string;
  readonly cookie: string;
}

/** A client as the portal gave it. */
export interface PortalClient {
  readonly id: string;
  readonly secret: string;
}

/** What the login connector knows before the attacks. Each login that an operation ends is a login of that operation alone. */
export interface LoginScene {
  readonly redirectUri: string;
  /** What `/authorize` is asked with. */
  readonly request: Readonly<Record<string, string>>;
  readonly verifier: string;
  readonly client: PortalClient;
  /** What attacks on the portal change. */
  readonly spareClient: PortalClient;
  readonly portal: { readonly cookie: string; readonly formToken: string };
  readonly logins: Readonly<Record<"shown" | "renewed" | "cancelled" | "answered" | "linked", WaitingLogin>>;
  readonly accessToken: string;
}

/** Who logs in, and where. */
export interface LoginPerson {
  readonly loginUrl: string;
  readonly ename: EName;
  readonly key: WalletKey;
}

const REDIRECT_URI = "http://127.0.0.1:1/callback";
const VERIFIER = "a-verifier-of-forty-three-characters-or-more-0123";

/** Registers two clients, logs a person in, and opens the logins to attack. Refuses: an Error when an answer lacks what it should hold. */
export async function prepareLogin(person: LoginPerson): Promise<LoginScene> {
  const { loginUrl } = person;
  const cookie = await signInAtPortal(person);
  const form = await (await fetch(`${loginUrl}/portal/clients/new`, { headers: { cookie } })).text();
  const portal = { cookie, formToken: find(form, /name="token" value="([^"]+)"/) };
  const [client, spareClient] = [await createClient(loginUrl, portal), await createClient(loginUrl, portal)];
  const request = {
    client_id: client.id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid profile email",
    state: "a state",
    nonce: "a-nonce",
    ui_locales: "nl en",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
  };
  const open = (): Promise<WaitingLogin> => openLogin(`${loginUrl}/authorize?${new URLSearchParams(request)}`);
  const code = await finishLogin(person, await open());
  return {
    redirectUri: REDIRECT_URI,
    request,
    verifier: VERIFIER,
    client,
    spareClient,
    portal,
    logins: {
      shown: await open(),
      renewed: await open(),
      cancelled: await open(),
      answered: await open(),
      linked: await open(),
    },
    accessToken: await exchangeCode(loginUrl, client, new URL(code.headers.get("location") ?? "").searchParams),
  };
}

async function signInAtPortal(person: LoginPerson): Promise<string> {
  const signedIn = await finishLogin(person, await openLogin(`${person.loginUrl}/portal/login`));
  return cookieOf(signedIn);
}

async function openLogin(url: string): Promise<WaitingLogin> {
  const response = await fetch(url);
  const page = await response.text();
  return {
    id: find(page, /data-next="\/login\/([^"]+)"/),
    session: find(page, /session=([\w-]{43})/),
    cookie: cookieOf(response),
  };
}

async function finishLogin({ loginUrl, ename, key }: LoginPerson, login: WaitingLogin): Promise<Response> {
  const answer = { ename, session: login.session, signature: await signSession(key, login.session) };
  const headers = { "content-type": "application/json" };
  const taken = await fetch(`${loginUrl}/ds/callback`, { method: "POST", headers, body: JSON.stringify(answer) });
  if (!taken.ok) throw new Error(`/ds/callback answered ${taken.status}: ${await taken.text()}`);
  return fetch(`${loginUrl}/login/${login.id}`, { redirect: "manual", headers: { cookie: login.cookie } });
}

async function createClient(loginUrl: string, { cookie, formToken }: LoginScene["portal"]): Promise<PortalClient> {
  const body = new URLSearchParams({ token: formToken, name: "Hostile", redirect_uris: REDIRECT_URI });
  const made = await fetch(`${loginUrl}/portal/clients`, { method: "POST", headers: { cookie }, body });
  const [id = "", secret = ""] = [...(await made.text()).matchAll(/<code>([\w-]+)<\/code>/g)].map(([, text]) => text);
  return { id, secret };
}

async function exchangeCode(loginUrl: string, client: PortalClient, answer: URLSearchParams): Promise<string> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: answer.get("code") ?? "",
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    client_id: client.id,
    client_secret: client.secret,
  });
  const response = await fetch(`${loginUrl}/token`, { method: "POST", body });
  if (!response.ok) throw new Error(`/token answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

function cookieOf(response: Response): string {
  return (response.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
}

function find(page: string, pattern: RegExp): string {
  const found = pattern.exec(page)?.[1];
  if (found === undefined) throw new Error(`a page of the login connector lacks ${pattern}`);
  return found;
}
