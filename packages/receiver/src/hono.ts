import type { WebhookReceiver } from "./webhook-receiver.ts";

/**
 * Makes a Hono 4 handler: `app.post("/api/webhook", honoWebhook(receive))`. Register it before anything that reads the
 * body.
 *
 * Refuses: what `onError` throws, passed to Hono's error handling.
 */
export function honoWebhook(
  receive: WebhookReceiver,
): (context: { readonly req: { readonly raw: Request } }) => Promise<Response> {
  return (context) => receive(context.req.raw);
}
