import { askReceiver } from "./node-http.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";
import type { FastifyInstance } from "fastify";

/**
 * Makes a Fastify 5 plugin with the receiver's single route: `app.register(fastifyWebhook(receive, "/api/webhook"))`.
 * The body parsers of other routes are not changed.
 *
 * Refuses: what `onError` throws, passed to Fastify's error handling.
 */
export function fastifyWebhook(receive: WebhookReceiver, path: string): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    // The receiver reads the bytes itself, with its own limit.
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
