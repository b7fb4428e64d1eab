import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { isWebhookChallenge } from "@dataspace/protocol/webhook-challenge";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import { MAX_BODY_BYTES, readBoundedBody } from "./bounded-body.ts";
import { ReceiverError } from "./receiver-error.ts";
import { parseWebhookEvent, type WebhookEvent } from "./webhook-event.ts";
import type { WebhookStore } from "./webhook-store.ts";
import {
  createWebhookTrust,
  TRUST_HEADERS,
  type TrustHeaders,
  type WebhookTrust,
  type WebhookTrustConfig,
} from "./webhook-trust.ts";

/** Answers one delivery. Every framework with Request and Response can call it directly. */
export type WebhookReceiver = (request: Request) => Promise<Response>;

/** Which senders to trust, where to remember events, how to handle an event, and where to report errors. */
export interface WebhookReceiverConfig<Transaction> extends WebhookTrustConfig {
  readonly store: WebhookStore<Transaction>;
  /** Called and awaited for each new event. If it throws, the event is sent again. It writes through `transaction`. */
  readonly onEvent: (event: WebhookEvent, transaction: Transaction) => unknown;
  /** Called with errors on this side; the sender only learns that there was one. */
  readonly onError: (error: unknown, event?: WebhookEvent) => void;
}

interface ReceiverDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
}

/**
 * Makes the receiver of a platform's webhooks: it verifies each before reading it, and applies each event once, in
 * order.
 *
 * Out: a function that answers 200 `{status}` for an applied, duplicate or stale event and for a challenge, which is
 * recognised by its signed body. It answers 401 INVALID_SIGNATURE, 400 INVALID_EVENT or BODY_INCOMPLETE, 405
 * METHOD_NOT_ALLOWED, 413 PAYLOAD_TOO_LARGE. After these answers the event is sent again: 500 NOT_APPLIED when the
 * store or `onEvent` fails, 500 BODY_ALREADY_READ when something else has read the body, 503 KEYS_UNAVAILABLE. Its
 * promise rejects only with what `onError` throws.
 * Refuses: ReceiverError NOTHING_TRUSTED, INSECURE_AND_TRUST, INVALID_AWARENESS_URL, INVALID_TARGET_URL; ProtocolError
 * INVALID_WEBHOOK_SECRET.
 * Source: S1 "Webhook payload" and "Delivery rules"; decisions E3, E9, P9.
 */
export function createWebhookReceiver<Transaction>(
  config: WebhookReceiverConfig<Transaction>,
  deps: ReceiverDeps = { fetch, clock: { nowMs: () => Date.now() } },
): WebhookReceiver {
  const trust = createWebhookTrust(deps, config);
  return async (request) => {
    const body = await takeBody(request, config.onError);
    if (body instanceof Response) return body;
    const refusal = await judge({ trust, request, body }, config.onError);
    return refusal ?? apply(config, body);
  };
}

async function takeBody(
  request: Request,
  onError: (error: unknown) => void,
): Promise<Uint8Array<ArrayBuffer> | Response> {
  if (request.method !== "POST") return refuse(405, "METHOD_NOT_ALLOWED", "Webhooks are sent with POST.");
  if (request.bodyUsed) {
    const message = "Something read the body before the receiver: mount the receiver ahead of every body parser.";
    onError(new ReceiverError("BODY_ALREADY_READ", message));
    return refuse(500, "BODY_ALREADY_READ", message);
  }
  try {
    const body = await readBoundedBody(request);
    return body ?? refuse(413, "PAYLOAD_TOO_LARGE", `A webhook has at most ${MAX_BODY_BYTES} bytes.`);
  } catch {
    return refuse(400, "BODY_INCOMPLETE", "The body is incomplete: send it again.");
  }
}

async function judge(
  {
    trust,
    request,
    body,
  }: { readonly trust: WebhookTrust; readonly request: Request; readonly body: Uint8Array<ArrayBuffer> },
  onError: (error: unknown) => void,
): Promise<Response | undefined> {
  const headers = Object.fromEntries(TRUST_HEADERS.map((name) => [name, request.headers.get(name)]));
  try {
    await trust.verify({ headers: headers as TrustHeaders, body });
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(401, "INVALID_SIGNATURE", error.message);
    onError(error);
    return refuse(503, "KEYS_UNAVAILABLE", "The keys of the awareness service are not available: send it again later.");
  }
}

async function apply<Transaction>(
  { store, onEvent, onError }: WebhookReceiverConfig<Transaction>,
  body: Uint8Array,
): Promise<Response> {
  const event = readEvent(body);
  if (event instanceof ProtocolError) return refuse(400, "INVALID_EVENT", event.message);
  if (isWebhookChallenge(event)) return answer(200, { status: "challenge" });
  try {
    const status = await store.applyOnce(event, async (transaction) => {
      await onEvent(event, transaction);
    });
    return answer(200, { status });
  } catch (error) {
    onError(error, event);
    return refuse(500, "NOT_APPLIED", "The event could not be applied: send it again later.");
  }
}

function readEvent(body: Uint8Array): WebhookEvent | ProtocolError {
  try {
    return parseWebhookEvent(body);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
}

function refuse(status: number, code: string, message: string): Response {
  return answer(status, { error: { code, message } });
}

function answer(status: number, body: unknown): Response {
  return Response.json(body, { status, headers: status === 405 ? { allow: "POST" } : {} });
}
