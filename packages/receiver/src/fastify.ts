import { askReceiver } from "./node-http.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";
import type { FastifyInstance } from "fastify";

/**
 * Makes a Fastify 5 plugin with the one route of the receiver: `app.register(fastifyWebhook(receive, "/api/webhook"))`. The
 * parsers of other routes stay as they are.
 *
 * Refuses: what `onError` throws, to Fastify's own error handling.
 */
export function fastifyWebhook(receive: WebhookReceiver, path: string): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    // The receiver reads the bytes itself, within its own bound.
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.post(path, async (request, reply) => {
      const answer = await askReceiver(receive, request.raw);
      return reply
        .code(answer.status)
        .headers(Object.fromEntries(answer.headers))
        .send(await answer.text());
    });
  };
}
