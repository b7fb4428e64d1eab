import { toRequest } from "./node-http.ts";
import type { WalletLoginDoor } from "./wallet-login-door.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Makes a Fastify plugin with the door's routes: `app.register(fastifyWalletLogin(door))`. Closing the server ends open event streams.
 *
 * Refuses: what the door throws, to Fastify's error handling.
 */
export function fastifyWalletLogin(door: WalletLoginDoor): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    scope.addHook("preClose", async () => door.close());
    const { callback, state, events, deepLink } = door.paths;
    const handle = async ({ raw, body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const response = await door.handle(toRequest(Object.assign(raw, body === undefined ? {} : { body })));
      return reply.send(response);
    };
    scope.post(callback, handle);
    for (const path of [state, events, deepLink]) scope.get(path, handle);
  };
}
