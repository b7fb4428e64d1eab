import type { IncomingMessage, ServerResponse } from "node:http";
import type { WebhookReceiver } from "./webhook-receiver.ts";

/** A request of node:http; `body` is set where a framework has already read it. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/**
 * Makes the handler of a node:http server that passes every request to the receiver.
 *
 * Refuses: never; what `onError` throws becomes a 500 without a body.
 */
export function nodeWebhook(receive: WebhookReceiver): (incoming: NodeRequest, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    respond(receive, { incoming, outgoing }).catch(() => outgoing.writeHead(500).end());
  };
}

/**
 * Passes a request of node:http to the receiver, with the bytes of its body unchanged.
 *
 * Out: the receiver's answer. It closes the connection if the rest of an unread body has not arrived.
 * Refuses: what `onError` throws.
 */
export async function askReceiver(receive: WebhookReceiver, incoming: NodeRequest): Promise<Response> {
  const response = await receive(await toRequest(incoming));
  if (!incoming.complete) response.headers.set("connection", "close");
  return response;
}

async function respond(
  receive: WebhookReceiver,
  { incoming, outgoing }: { readonly incoming: NodeRequest; readonly outgoing: ServerResponse },
): Promise<void> {
  const response = await askReceiver(receive, incoming);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
}

async function toRequest(incoming: NodeRequest): Promise<Request> {
  const url = `http://localhost${incoming.url?.startsWith("/") ? incoming.url : "/"}`;
  // The receiver refuses every method except POST, and a Request does not accept all of them.
  if (incoming.method !== "POST") return new Request(url);
  const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const request = (body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>) =>
    new Request(url, { method: "POST", headers, body, duplex: "half" });
  if (incoming.body instanceof Uint8Array) return request(new Uint8Array(incoming.body));
  if (!incoming.readableDidRead) return request(toStream(incoming));
  const used = request("");
  await used.text();
  return used;
}

// Unlike Readable.toWeb, cancelling does not close the connection, so the refusal still reaches the sender.
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const parts = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const part = await parts.next();
        if (part.done === true) controller.close();
        else controller.enqueue(part.value as Uint8Array);
      },
    },
    { highWaterMark: 0 },
  );
}
