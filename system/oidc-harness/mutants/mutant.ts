import type { ConnectorChanges, OurConnector } from "../targets/our-connector.ts";
import type { Alteration, PassingAnswer, PassingRequest } from "./altering-proxy.ts";

/** A provider that is wrong in one way, made of ours by a proxy in front of it or by its settings. */
export interface Mutant {
  readonly does: string;
  /** Each of these modules has to notice it. */
  readonly caughtBy: readonly string[];
  readonly alter: (connector: OurConnector) => Alteration;
  readonly changes?: ConnectorChanges;
}

/** The parameters of an authorization request, whichever way it came; undefined for any other request. */
export function authorizationOf({ path, query, form }: PassingRequest): URLSearchParams | undefined {
  return path === "/authorize" ? (form ?? query) : undefined;
}

/** The form of a request to `/token`; undefined for any other request. */
export function exchangeOf({ path, form }: PassingRequest): URLSearchParams | undefined {
  return path === "/token" ? form : undefined;
}

/** Changes the address of a redirect to a client. */
export function changeRedirect({ headers }: PassingAnswer, change: (address: URL) => void): void {
  const { location } = headers;
  if (typeof location !== "string" || location.startsWith("/")) return;
  const address = new URL(location);
  change(address);
  headers["location"] = address.href;
}

/** Changes the JSON of a successful answer. */
export function changeJson(answer: PassingAnswer, change: (body: Record<string, unknown>) => void): void {
  if (answer.status !== 200) return;
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  change(body);
  answer.body = JSON.stringify(body);
}

/** Makes an answer of JSON. */
export function jsonAnswer(status: number, body: object): PassingAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
