import type { WebhookReceiver } from "@dataspace/receiver/webhook-receiver";

/**
 * Makes the route handler of Next.js: `export const { POST } = nextWebhook(receive)` in `app/api/webhook/route.ts`.
 *
 * Refuses: what `onError` throws, to Next's own error handling.
 */
export function nextWebhook(receive: WebhookReceiver): { readonly POST: WebhookReceiver } {
  return { POST: receive };
}
