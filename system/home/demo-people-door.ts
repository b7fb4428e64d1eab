import { isOwnPage } from "@dataspace/service-kit/http/own-page";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { readDemoIdentities } from "../read-demo-identities.ts";
import type { Environment } from "../service.ts";
import type { FastifyInstance } from "fastify";

/** Where the sandbox finds the demo people. */
export const DEMO_PEOPLE = "/demo-people";

/**
 * Serves the demo people with their wallet keys, so that the sandbox acts as one of them at one click. For the
 * development stack alone: the answer goes only to this machine, under one of its own names, and never to a page of
 * another origin. A name that an attacker rebinds to 127.0.0.1 is thus refused.
 *
 * Refuses: NOT_FOUND (404) to anybody else. Source: decision P5 (seeded with demo identities).
 */
export function mountDemoPeople(app: FastifyInstance, env: Environment): void {
  app.get(DEMO_PEOPLE, async (request, reply) => {
    if (!isOwnPage(request)) {
      const message =
        "Only the sandbox of this machine reads the demo people. Open it on the machine that runs the stack.";
      throw new Refusal("NOT_FOUND", message, { status: 404 });
    }
    const people = readDemoIdentities(env["DS_DATA_DIR"] ?? "") ?? [];
    const vaultUrl = env["DS_VAULT_URL"] ?? "";
    reply.header("cache-control", "no-store");
    return people.map(({ name, ename, privateKey }) => ({ displayName: name, ename, vaultUrl, privateKey }));
  });
}
