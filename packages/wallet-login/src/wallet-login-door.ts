import { createLoginEvents, type LoginEvents } from "./login-events.ts";
import { type LoginRefusal, malformedAnswer, REFUSAL_BY_FAILURE } from "./login-refusals.ts";
import { type MessagePage, writePlainPage } from "./plain-page.ts";
import { readBoundedJson } from "./read-bounded-json.ts";
import { readWalletAnswer } from "./wallet-answer.ts";
import { DEFAULT_CALLBACK_PATH, type WalletLogin } from "./wallet-login.ts";

/** How the door fits into a platform. */
export interface WalletLoginDoorConfig {
  /** The path of `createWalletLogin`. */
  readonly callbackPath?: string;
  /** Where a browser goes on after its wallet has signed: the page that calls `collect`. The default is `/`. */
  readonly landing?: string;
  /** Writes the HTML of a page in the platform's own design. */
  readonly writePage?: (page: MessagePage) => string | Promise<string>;
}

/** The part of a platform that wallets and waiting pages talk to, as `Request -> Response`. */
export interface WalletLoginDoor {
  /** The addresses that it serves. */
  readonly paths: {
    readonly callback: string;
    readonly state: string;
    readonly events: string;
    readonly deepLink: string;
  };
  /** Out: undefined for an address that is not the door's. Refuses: what the store and the check throw. */
  readonly handle: (request: Request) => Promise<Response | undefined>;
  /** Ends open event streams, so that a server can stop. */
  readonly close: () => void;
}

const MOST_STREAMS_PER_BROWSER = 3;
const OPEN_TO_WALLETS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "content-type",
};
const SIGNED_ELSEWHERE: MessagePage = {
  status: 200,
  title: "Your wallet has signed",
  message: "Go back to the browser in which you started the login. It continues there.",
};

/**
 * Makes the door. `POST /api/auth` takes a wallet's answer. `GET /deeplink-login` takes it in the browser of the same device. `GET
 * /api/auth/state` and `GET /api/auth/events` tell a waiting page how far its login is.
 *
 * Refuses with `{"error": {"code", "message"}}`: BAD_REQUEST 400, INVALID_SIGNATURE 401, UNKNOWN_SESSION 404, METHOD_NOT_ALLOWED 405,
 * SESSION_USED 409, PAYLOAD_TOO_LARGE 413, TOO_MANY_STREAMS 429, KEYS_UNAVAILABLE 503. Source: S2 "Endpoints"; decisions L4, L9.
 */
export function createWalletLoginDoor(login: WalletLogin, config: WalletLoginDoorConfig = {}): WalletLoginDoor {
  const { callbackPath: callback = DEFAULT_CALLBACK_PATH, landing = "/", writePage = writePlainPage } = config;
  const paths = { callback, state: `${callback}/state`, events: `${callback}/events`, deepLink: "/deeplink-login" };
  const streams = new Map<string, Set<LoginEvents>>();
  const page = async (words: MessagePage): Promise<Response> =>
    new Response(await writePage(words), { status: words.status, headers: PAGE_HEADERS });

  const handlers: Readonly<Record<string, readonly [method: string, (request: Request) => Promise<Response>]>> = {
    [paths.callback]: [
      "POST",
      async (request) => {
        const refusal = await takeAnswer(login, await readBoundedJson(request));
        return refusal === undefined
          ? Response.json({ success: true }, { headers: OPEN_TO_WALLETS })
          : refuse(refusal, OPEN_TO_WALLETS);
      },
    ],
    [paths.deepLink]: [
      "GET",
      async (request) => {
        const refusal = await takeAnswer(login, { json: readQuery(request) });
        if (refusal !== undefined) return page({ ...refusal, title: "You are not logged in" });
        if ((await login.stateOf(request.headers.get("cookie"))) !== "signed") return page(SIGNED_ELSEWHERE);
        // A clean address: the signature does not stay in the browser's history.
        return new Response(null, { status: 303, headers: { location: landing, "referrer-policy": "no-referrer" } });
      },
    ],
    [paths.state]: [
      "GET",
      async (request) =>
        Response.json(
          { state: (await login.stateOf(request.headers.get("cookie"))) ?? "expired" },
          { headers: { "cache-control": "no-store" } },
        ),
    ],
    [paths.events]: ["GET", (request) => openEvents(login, { request, streams, next: landing })],
  };
  return {
    paths,
    handle: async (request) => {
      const { pathname } = new URL(request.url);
      const [method, handler] = Object.hasOwn(handlers, pathname) ? (handlers[pathname] ?? []) : [];
      if (handler === undefined || method === undefined) return undefined;
      if (request.method === "OPTIONS" && pathname === callback)
        return new Response(null, { status: 204, headers: OPEN_TO_WALLETS });
      if (request.method === method) return handler(request);
      const refusal = { status: 405, code: "METHOD_NOT_ALLOWED", message: `Use ${method}.` };
      return refuse(refusal, { allow: method });
    },
    close: () => {
      for (const stream of [...streams.values()].flatMap((open) => [...open])) stream.end();
    },
  };
}

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

async function takeAnswer(
  login: WalletLogin,
  sent: { readonly json: unknown } | { readonly refusal: LoginRefusal },
): Promise<LoginRefusal | undefined> {
  if ("refusal" in sent) return sent.refusal;
  const reading = readWalletAnswer(sent.json);
  if ("fault" in reading) return malformedAnswer(reading.fault);
  const result = await login.answer(reading.answer);
  return "failure" in result ? REFUSAL_BY_FAILURE[result.failure] : undefined;
}

/** A parameter that was sent twice becomes an array, which is refused as malformed. */
function readQuery(request: Request): Readonly<Record<string, unknown>> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    ["ename", "session", "signature"].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

async function openEvents(
  login: WalletLogin,
  {
    request,
    streams,
    next,
  }: { readonly request: Request; readonly streams: Map<string, Set<LoginEvents>>; readonly next: string },
): Promise<Response> {
  const cookies = request.headers.get("cookie");
  const browser = login.browserOf(cookies);
  if (browser === undefined || (await login.stateOf(cookies)) === undefined) {
    return refuse({ status: 404, code: "UNKNOWN_SESSION", message: "This browser has no login that waits." });
  }
  const open = streams.get(browser) ?? new Set();
  if (open.size >= MOST_STREAMS_PER_BROWSER) {
    return refuse({ status: 429, code: "TOO_MANY_STREAMS", message: "This browser has three open event streams." });
  }
  const events = createLoginEvents({
    look: () => login.stateOf(cookies),
    next,
    onClose: () => {
      open.delete(events);
      if (open.size === 0) streams.delete(browser);
    },
  });
  streams.set(browser, open.add(events));
  return new Response(events.body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    },
  });
}

function refuse(
  { status, code, message, closes = false }: LoginRefusal,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const all = { ...headers, ...(closes ? { connection: "close" } : {}) };
  return Response.json({ error: { code, message } }, { status, headers: all });
}
