import { html } from "hono/html";
import { type LinkTile, linkTiles } from "./link-tile.ts";
import { sendPage, setPageHeaders } from "./mount-ui.ts";
import type { Page } from "./page.ts";
import { notice, stateMark } from "./state-mark.ts";
import type { Ui } from "./ui.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The page at the root of a service: its name, one sentence about it, and where to go from here. */
export interface FrontDoor {
  /** The service's short name, such as "registry". */
  readonly service: string;
  readonly text: string;
  /** Addresses of this service; `name` names the link in the answer to a program. */
  readonly links: readonly (LinkTile & { readonly name: string })[];
  /** What prevents the service from working, in words. */
  readonly findFault: () => string | undefined;
}

const WORDS = {
  up: "This service works",
  down: "This service does not work now.",
  places: "Where to go from here",
  operators: "For operators",
  metrics: "Metrics and readiness are on a separate port: this port plus 10,000. Only this machine can reach it.",
  home: "Go to the start page",
  error: "Error",
  titles: { 400: "Bad request", 401: "Not signed in", 403: "Not allowed", 404: "Page not found", 503: "Not available" },
} as const;
const TITLES: Readonly<Record<number, string>> = WORDS.titles;

/**
 * Serves `GET /`: a page for a browser, JSON `{service, status, links}` for a program. Answers of errors become pages
 * too when a browser opens an address, with the same status.
 *
 * Refuses: never.
 */
export function mountFrontDoor(app: FastifyInstance, ui: Pick<Ui, "render">, door: FrontDoor): void {
  app.get("/", async (request, reply) => {
    varyByAccept(reply);
    const fault = door.findFault();
    if (wantsPage(request)) return sendPage(reply, await ui.render(frontPage(door, fault)));
    const links = Object.fromEntries(door.links.map(({ name, href }) => [name, href]));
    return { service: door.service, status: fault === undefined ? "ok" : "failing", links };
  });
  mountErrorPages(app, ui, door.service);
}

/** Answers of errors become pages when a browser opens an address, with the same status. Refuses: never. */
export function mountErrorPages(app: FastifyInstance, ui: Pick<Ui, "render">, service: string): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const error = reply.statusCode >= 400 && wantsPage(request) ? errorOf(payload) : undefined;
    if (error === undefined) return payload;
    varyByAccept(setPageHeaders(reply).removeHeader("content-length"));
    return ui.render(errorPage(service, reply.statusCode, error));
  });
}

// The cross-origin rules may have named Origin already, and a cache must see both.
function varyByAccept(reply: FastifyReply): void {
  const names = String(reply.getHeader("vary") ?? "").split(/, */);
  reply.header("vary", [...new Set([...names, "Accept"])].filter((name) => name !== "").join(", "));
}

/** Whether a browser opens this address, so that a person reads the answer. */
function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === "GET" || method === "HEAD") && headers.accept?.includes("text/html") === true;
}

/** Whether a program names JSON as what it accepts, and no page. Refuses: never. */
export function asksForJson(request: FastifyRequest): boolean {
  return !wantsPage(request) && request.headers.accept?.includes("application/json") === true;
}

interface ShownError {
  readonly code: string;
  readonly message: string;
}

// Only the error body of this project; every other answer stays as it is. Source: decision V2.
function errorOf(payload: unknown): ShownError | undefined {
  if (typeof payload !== "string" || !payload.startsWith('{"error":')) return undefined;
  const { code, message } = (JSON.parse(payload) as { readonly error: Partial<ShownError> }).error;
  return typeof code === "string" && typeof message === "string" ? { code, message } : undefined;
}

function frontPage({ service, text, links }: FrontDoor, fault: string | undefined): Page {
  const name = `${service.slice(0, 1).toUpperCase()}${service.slice(1)}`;
  return {
    title: name,
    part: service,
    home: "/",
    main: html`<div class="head"><div><h1>${name}</h1><p class="lead">${text}</p></div>${fault === undefined ? stateMark("ok", WORDS.up) : ""}</div>
${fault === undefined ? "" : notice("bad", html`<p><strong>${WORDS.down}</strong></p><p>${fault}</p>`)}
<section class="stack" aria-labelledby="places"><h2 id="places">${WORDS.places}</h2>${linkTiles(links)}</section>
<section class="stack tight" aria-labelledby="operators"><h2 id="operators">${WORDS.operators}</h2><p class="muted">${WORDS.metrics}</p></section>`,
  };
}

function errorPage(service: string, status: number, { code, message }: ShownError): Page {
  const title = TITLES[status] ?? WORDS.error;
  return {
    title,
    part: service,
    home: "/",
    isNarrow: true,
    main: html`<div><p class="muted small">${status} <code>${code}</code></p><h1>${title}</h1></div>
<p class="lead">${message}</p><div><a class="button quiet" href="/">${WORDS.home}</a></div>`,
  };
}
