import type { WebhookReceiver } from "./webhook-receiver.ts";

/**
 * Makes a Hono 4 handler: `app.post("/api/webhook", honoWebhook(receive))`, ahead of whatever reads the body.
 *
 * Refuses: what `onError` throws, to Hono's own error handling.
 */
export function honoWebhook(
  receive: WebhookReceiver,
): (context: { readonly req: { readonly raw: Request } }) => Promise<Response> {
  return (context) => receive(context.req.raw);
}
