import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { LOGIN_CLIENT, LOGIN_PERSON } from "./login-scene.ts";

/** What an HTTP answer was. */
export interface LoginAnswer {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookie: string;
  readonly body: string;
}

/** A browser, a wallet and a client together, over keep-alive connections to one server. */
export interface LoginLoad extends Disposable {
  /** Opens a login page. Out: what the browser then has. */
  readonly open: () => Promise<OpenedLogin>;
  /** Opens a login, signs it and collects its code. */
  readonly obtainCode: () => Promise<string>;
  /** Exchanges a code. Out: the access token. */
  readonly exchange: (code: string) => Promise<string>;
  readonly readUserinfo: (accessToken: string) => Promise<void>;
}

/** A login page in a browser. */
export interface OpenedLogin {
  readonly id: string;
  readonly session: string;
  readonly cookie: string;
}

const { id, secret, redirectUri, verifier, challenge } = LOGIN_CLIENT;
const AUTHORIZE = `/authorize?${new URLSearchParams({
  client_id: id,
  redirect_uri: redirectUri,
  response_type: "code",
  scope: "openid profile email",
  state: "a-state",
  nonce: "a-nonce",
  code_challenge: challenge,
  code_challenge_method: "S256",
})}`;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Makes the load. In: `sign` signs a session. Refuses: an Error for an answer that is not the expected one. */
export function createLoginLoad(
  port: number,
  { connections, sign }: { readonly connections: number; readonly sign: (session: string) => string },
): LoginLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask = (target: string, headers: Record<string, string>, body = ""): Promise<LoginAnswer> =>
    new Promise((resolve, reject) => {
      const [method, path] = target.split(" ");
      const sent = request({ agent, host: "127.0.0.1", port, method, path, headers }, (answer) => {
        text(answer).then((read) => resolve(toAnswer(answer, read)), reject);
      });
      sent.once("error", reject);
      sent.end(body);
    });
  const open = async (): Promise<OpenedLogin> => {
    const { status, body, cookie } = await ask(`GET ${AUTHORIZE}`, { accept: "text/html" });
    const session = /session=([\w-]{43})/.exec(body)?.[1];
    const opened = /data-next="\/login\/([^"]+)"/.exec(body)?.[1];
    if (status !== 200 || session === undefined || opened === undefined) throw new Error(`/authorize: ${status}`);
    return { id: opened, session, cookie };
  };
  return {
    open,
    obtainCode: async () => {
      const opened = await open();
      const answer = { ename: LOGIN_PERSON, session: opened.session, signature: sign(opened.session) };
      const json = { "content-type": "application/json" };
      const taken = await ask("POST /ds/callback", json, JSON.stringify(answer));
      if (taken.status !== 200) throw new Error(`/ds/callback: ${taken.status} ${taken.body}`);
      const { location = "" } = await ask(`GET /login/${opened.id}`, { cookie: opened.cookie });
      return new URL(location).searchParams.get("code") ?? "";
    },
    exchange: async (code) => {
      const credentials = Buffer.from(`${id}:${secret}`).toString("base64");
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      const headers = { ...FORM, authorization: `Basic ${credentials}` };
      const answer = await ask("POST /token", headers, body.toString());
      if (answer.status !== 200) throw new Error(`/token: ${answer.status} ${answer.body}`);
      return (JSON.parse(answer.body) as { readonly access_token: string }).access_token;
    },
    readUserinfo: async (accessToken) => {
      const { status } = await ask("GET /userinfo", { authorization: `Bearer ${accessToken}` });
      if (status !== 200) throw new Error(`/userinfo: ${status}`);
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage, body: string): LoginAnswer {
  const cookie = (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
  return { status: statusCode, location: headers.location, cookie, body };
}
