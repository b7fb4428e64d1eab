import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { createMemoryWebhookStore } from "@dataspace/receiver/memory-webhook-store";
import { nodeWebhook } from "@dataspace/receiver/node-http";
import { createWebhookReceiver } from "@dataspace/receiver/webhook-receiver";
import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import { type AwarenessApi, callAwareness } from "./awareness-api.ts";

/** What to listen to, and what to do with each event. */
export interface ListenRequest {
  readonly api: AwarenessApi;
  /** The vaults whose events are wanted; empty: all that this consumer may receive. */
  readonly owners: readonly string[];
  /** Also sends each verified webhook to this address, and answers as it does. */
  readonly forwardTo: string | undefined;
  /** Answers each event with this status instead, to try out redelivery. */
  readonly failWith: number | undefined;
  readonly onEvent: (event: WebhookEvent) => void;
  readonly onError: (message: string) => void;
}

/** A running listener; disposing of it ends its subscription. */
export interface Listener extends AsyncDisposable {
  readonly subscriptionId: string;
  readonly targetUrl: string;
  readonly secret: string;
}

const SECRET_BYTES = 32;
const FORWARD_MS = 4_000;

/**
 * Listens on this machine and subscribes: each webhook is verified before its event is reported. It needs no tunnel,
 * since the awareness service of the development stack is on this machine too.
 *
 * Refuses: as `callAwareness`. Source: decisions E3, E9; stack "Webhook development".
 */
export async function listenToWebhooks(request: ListenRequest): Promise<Listener> {
  const { api, owners } = request;
  await using opened = new AsyncDisposableStack();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const targetUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const secret = encodeWebhookSecret(randomBytes(SECRET_BYTES));
  server.on("request", nodeWebhook(createReceiver(request, { secret, targetUrl })));
  const body = { targetUrl, secret, ...(owners.length === 0 ? {} : { vaultFilter: owners }) };
  const { id } = await callAwareness<{ readonly id: string }>(api, {
    method: "POST",
    path: "/api/subscriptions",
    body,
  });
  opened.defer(() => callAwareness(api, { method: "DELETE", path: `/api/subscriptions/${id}` }));
  const owned = opened.move();
  return { subscriptionId: id, targetUrl, secret, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function createReceiver(
  { forwardTo, failWith, onEvent, onError }: ListenRequest,
  { secret, targetUrl }: { readonly secret: string; readonly targetUrl: string },
): (request: Request) => Promise<Response> {
  const receive = createWebhookReceiver({
    secrets: [secret],
    targetUrl,
    store: createMemoryWebhookStore(),
    onEvent: async (event) => {
      onEvent(event);
      if (failWith !== undefined) throw new Error(`answers ${failWith}, as asked`);
    },
    onError: (error) => onError((error as Error).message),
  });
  return async (request) => {
    const copy = forwardTo === undefined ? undefined : request.clone();
    const answer = await receive(request);
    if (failWith !== undefined && answer.status === 500) return new Response(null, { status: failWith });
    if (copy === undefined || forwardTo === undefined || !answer.ok) return answer;
    return await forward(copy, forwardTo).catch((error: Error) => {
      onError(`${forwardTo}: ${error.message}`);
      return new Response(null, { status: 502 });
    });
  };
}

async function forward(request: Request, to: string): Promise<Response> {
  const skipped = new Set(["host", "connection", "content-length", "transfer-encoding"]);
  const headers = [...request.headers].filter(([name]) => !skipped.has(name));
  const body = await request.arrayBuffer();
  const answer = await fetch(to, { method: "POST", headers, body, signal: AbortSignal.timeout(FORWARD_MS) });
  await answer.body?.cancel();
  // Only the status counts for the sender.
  return new Response(null, { status: answer.status });
}
