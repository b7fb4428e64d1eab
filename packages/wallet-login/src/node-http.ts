import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { WalletLoginDoor } from "./wallet-login-door.ts";

/** A request of node:http. `body` is there if a framework read it before. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/**
 * Makes a function for a node:http server: it answers what is the door's.
 *
 * Out of that function: false for another address, whose request is untouched. Refuses: what the door throws.
 */
export function nodeWalletLogin(
  door: WalletLoginDoor,
): (incoming: NodeRequest, outgoing: ServerResponse) => Promise<boolean> {
  const paths = new Set<string>(Object.values(door.paths));
  return async (incoming, outgoing) => {
    if (!paths.has((incoming.url ?? "").split("?")[0] ?? "")) return false;
    const response = await door.handle(toRequest(incoming));
    if (response === undefined) return false;
    await sendResponse(response, outgoing);
    return true;
  };
}

/**
 * Makes the handler of a node:http server from a `fetch` function, such as that of a Hono app.
 *
 * Refuses: never; what the function throws becomes a 500 without a body.
 */
export function serveFetch(
  answer: (request: Request) => Promise<Response>,
): (incoming: NodeRequest, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    answer(toRequest(incoming))
      .then((response) => sendResponse(response, outgoing))
      .catch(() => outgoing.writeHead(500).end());
  };
}

/** Makes a Fetch request of a request of node:http, whose body may have been parsed before. Refuses: never. */
export function toRequest(incoming: NodeRequest): Request {
  const method = incoming.method ?? "GET";
  const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  // Only the path and the query count; the address of the platform is a setting.
  const url = `http://localhost${incoming.url ?? "/"}`;
  if (method !== "POST") return new Request(url, { method: SAFE_METHODS.has(method) ? method : "PUT", headers });
  return new Request(url, { method, headers, body: bodyOf(incoming), duplex: "half" });
}

/** A Request takes not every method; those that it does not take are refused alike. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"]);

function bodyOf(incoming: NodeRequest): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const { body } = incoming;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (typeof body === "string") return body;
  if (body !== undefined) return JSON.stringify(body);
  return Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
}

async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  // Each cookie is an entry of its own, of which the last would remain.
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.statusCode = response.status;
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  // A browser that closes the page ends its stream; that is not an error.
  await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => undefined);
}
