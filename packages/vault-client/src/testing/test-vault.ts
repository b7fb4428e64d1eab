import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { EName } from "@dataspace/protocol/ename";
import type { VaultClient } from "../vault-client.ts";
import { createVaultClients, type VaultClientsConfig } from "../vault-clients.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** A request that the stub received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers a request, or leaves it open. */
export type Answer = (request: Received, response: ServerResponse) => void;

/** Somebody else's vault: a server that behaves as the test says. */
export interface TestVault extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  answer: Answer;
  /** The most connections that were open at once. */
  readonly mostSockets: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a vault whose requests `answer` answers. */
export async function startTestVault(answer: Answer): Promise<TestVault> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let mostSockets = 0;
  const server = createServer(async (incoming, response) => {
    const body = (await incoming.toArray()).join("");
    const { method = "", url = "", headers } = incoming;
    const request = { method, path: url, headers, body };
    received.push(request);
    vault.answer(request, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    mostSockets = Math.max(mostSockets, sockets.size);
    socket.on("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  const vault: TestVault = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer,
    mostSockets: () => mostSockets,
    close,
    [Symbol.asyncDispose]: close,
  };
  return vault;
}

/** The eName that the test registry knows. */
export const OWNER = "@11111111-2222-4333-8444-555555555555" as EName;
const REGISTRY_URL = "http://registry.test";

/** What the client asked the registry, and where the registry says the vault is. */
export interface TestRegistry {
  address: { readonly uri: string; readonly vault: string } | undefined;
  asked: number;
}

/** A client of a stub vault, with a registry in the test's hands and a clock that stands still. */
export function createTestClient(
  uri: string,
  config: Partial<VaultClientsConfig> = {},
  clock: TestClock = createTestClock(),
): { readonly vault: VaultClient; readonly registry: TestRegistry; readonly clock: TestClock } {
  const registry: TestRegistry = { address: { uri, vault: "the-vault" }, asked: 0 };
  const answerAsRegistry = (): Response => {
    registry.asked += 1;
    if (registry.address === undefined) {
      return Response.json({ error: { code: "UNKNOWN_ENAME", message: "Unknown." } }, { status: 404 });
    }
    return Response.json({ kind: "vault", ename: OWNER, ...registry.address });
  };
  const routed = async (url: string, init: RequestInit): Promise<Response> =>
    url.startsWith(REGISTRY_URL) ? answerAsRegistry() : fetch(url, init);
  const deps = { fetch: routed, clock, random: () => 1 };
  const vault = createVaultClients({ registryUrl: REGISTRY_URL, ...config }, deps).vault(OWNER);
  return { vault, registry, clock };
}

/** Answers with JSON; with the status 200 and no other headers unless stated. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Answers a create with the record that was sent, and anything else with 200. */
export const createRecord: Answer = ({ body }, response) => {
  const { variables } = JSON.parse(body || "{}") as { readonly variables?: { readonly input?: object } };
  const metaEnvelope = { id: "1", ...variables?.input, parsed: {}, _acl: null };
  sendJson(response, { data: { createMetaEnvelope: { metaEnvelope, errors: [] } } });
};

/** Answers a read with a record of that id. */
export const readRecord: Answer = ({ body }, response) => {
  const { variables } = JSON.parse(body || "{}") as { readonly variables?: { readonly id?: string } };
  const metaEnvelope = { id: variables?.id, ontology: "note-v1", parsed: {}, _acl: null };
  sendJson(response, { data: { metaEnvelope } });
};
