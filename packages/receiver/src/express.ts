import type { ServerResponse } from "node:http";
import { askReceiver, type NodeRequest } from "./node-http.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";

/**
 * Makes an Express 5 handler: `app.post("/api/webhook", expressWebhook(receive))`, ahead of `express.json()`, or behind
 * `express.raw({ type: "*\/*", limit: "2mb" })`.
 *
 * Refuses: what `onError` throws, passed to Express's error handling.
 */
export function expressWebhook(
  receive: WebhookReceiver,
): (request: NodeRequest, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const answer = await askReceiver(receive, request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  };
}
