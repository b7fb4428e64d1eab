// A Fastify server with nothing on it but one route that answers: the floor under every answer.
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { answerParent } from "./child.ts";

const app = Fastify();

answerParent({ start: (body: string) => start(body) }, async () => {
  await app.close();
});

async function start(body: string): Promise<{ readonly port: number }> {
  const answer: unknown = JSON.parse(body);
  app.post("/graphql", async () => answer);
  app.get("/", async (_request, reply) => reply.type("application/json; charset=utf-8").send(body));
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { port: (app.server.address() as AddressInfo).port };
}
