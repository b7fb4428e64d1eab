import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request on its way to the provider; `form` is the body of a form, undefined for any other. */
export interface PassingRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  readonly form: URLSearchParams | undefined;
}

/** An answer on its way back. */
export interface PassingAnswer {
  status: number;
  readonly headers: Record<string, string | string[]>;
  body: string;
}

/** What a proxy alters. An answer that `request` returns is sent without asking the provider. */
export interface Alteration {
  readonly request?: (request: PassingRequest) => PassingAnswer | undefined;
  readonly answer?: (answer: PassingAnswer, request: PassingRequest) => void;
}

/** A proxy in front of a provider. Its address is the issuer. */
export interface AlteringProxy extends AsyncDisposable {
  readonly url: string;
  /** Begins to pass requests on. */
  readonly passTo: (upstream: string, alteration: Alteration) => void;
}

const NOT_PASSED = new Set(["host", "connection", "content-length", "transfer-encoding", "keep-alive"]);
const NOT_PASSED_BACK = new Set([...NOT_PASSED, "content-encoding", "set-cookie"]);

/** Starts a proxy on a free port, so that a mutant is made without a switch in the provider. Refuses: never. */
export async function startAlteringProxy(): Promise<AlteringProxy> {
  let upstream = "";
  let alteration: Alteration = {};
  const server = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://proxy");
    const body = await buffer(incoming);
    const isForm = incoming.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false;
    const request: PassingRequest = {
      method: incoming.method ?? "GET",
      path: pathname,
      query: searchParams,
      headers: toPassed(incoming.headers),
      form: isForm ? new URLSearchParams(body.toString()) : undefined,
    };
    const answer = alteration.request?.(request) ?? (await ask(upstream, request, body));
    alteration.answer?.(answer, request);
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passTo: (url, given) => {
      upstream = url;
      alteration = given;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function ask(upstream: string, request: PassingRequest, body: Buffer): Promise<PassingAnswer> {
  const { method, path, query, headers, form } = request;
  const sent = form === undefined ? body : Buffer.from(form.toString());
  const response = await fetch(`${upstream}${path}${query.size > 0 ? `?${query}` : ""}`, {
    method,
    redirect: "manual",
    headers,
    ...(method === "GET" || method === "HEAD" ? {} : { body: new Uint8Array(sent) }),
  });
  const passed = [...response.headers].filter(([name]) => !NOT_PASSED_BACK.has(name));
  const cookies = response.headers.getSetCookie();
  return {
    status: response.status,
    headers: { ...Object.fromEntries(passed), ...(cookies.length > 0 ? { "set-cookie": cookies } : {}) },
    body: await response.text(),
  };
}

function toPassed(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && !NOT_PASSED.has(entry[0]),
    ),
  );
}
