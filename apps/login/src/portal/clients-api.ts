import { walletTokenUse } from "@dataspace/protocol/wallet-token";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletClaims } from "@dataspace/protocol/wallet-token";
import type { ChangeOnce } from "../clients/change-once.ts";
import { type ClientInput, type GivenClient, readClientChange } from "../clients/client-input.ts";
import type { LoginClient } from "../clients/client-rows.ts";
import type { ManageClients } from "../clients/manage-clients.ts";
import { readLogo } from "../clients/read-logo.ts";
import { loginRefusal } from "../errors.ts";
import { clientsOpenApi } from "./clients-open-api.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What the management API works with. */
export interface ClientsApiDeps {
  readonly manage: ManageClients;
  readonly changeOnce: ChangeOnce;
  readonly verifyWalletToken: VerifyWalletToken;
}

type ClaimsOf = (request: FastifyRequest) => WalletClaims;
type ClientRequest = FastifyRequest<{ Params: { readonly id: string } }>;

const LOGO_BYTES = 262_144;
const BEARER = /^Bearer ([A-Za-z0-9._-]+)$/;

/**
 * Serves the management API of clients at `/api/clients`, and its OpenAPI document at `/api/openapi.json`. A caller sends a wallet token
 * for this origin; a token is valid for any number of reads and one change.
 *
 * Refuses: UNAUTHENTICATED, INVALID_TOKEN, TOKEN_SPENT, REGISTRY_UNAVAILABLE, INVALID_CLIENT_INPUT, and as `ManageClients`.
 * Source: S2 "Client"; decisions I4, I6.
 */
export function mountClientsApi(
  app: FastifyInstance,
  deps: ClientsApiDeps,
  { issuer }: { readonly issuer: string },
): void {
  app.get("/api/openapi.json", async () => clientsOpenApi(issuer));
  app.register((scope, _options, done) => {
    const claimsOf = verifyEachToken(scope, deps, issuer);
    mountOperations(scope, deps, claimsOf);
    done();
  });
}

/**
 * Verifies each request's wallet token before its body is read, and again when it has arrived. Out: the claims of a request.
 * Source: decision V26.
 */
function verifyEachToken(scope: FastifyInstance, deps: ClientsApiDeps, issuer: string): ClaimsOf {
  const verified = new WeakMap<FastifyRequest, WalletClaims>();
  const verify = async (request: FastifyRequest): Promise<void> => {
    verified.set(request, await deps.verifyWalletToken(readBearer(request), issuer));
  };
  scope.addHook("onRequest", verify);
  scope.addHook("preHandler", verify);
  return (request) => verified.get(request) as WalletClaims;
}

function mountOperations(app: FastifyInstance, { manage, changeOnce }: ClientsApiDeps, claimsOf: ClaimsOf): void {
  const changing = <T>(request: FastifyRequest, act: (manage: ManageClients, owner: EName) => Promise<T>) => {
    const claims = claimsOf(request);
    return changeOnce(walletTokenUse(claims), (acts) => act(acts, claims.ename));
  };

  app.get("/api/clients", async (request) => ({
    clients: (await manage.list(claimsOf(request).ename)).map(toShown),
  }));
  app.post("/api/clients", async (request, reply) => {
    const input = readNewClient(request.body);
    const { client, secret } = await changing(request, (acts, owner) => acts.create(owner, input, undefined));
    return reply.code(201).send({ client: toShown(client), clientSecret: secret });
  });
  app.get("/api/clients/:id", async (request: ClientRequest) => ({
    client: toShown(await manage.get(claimsOf(request).ename, request.params.id)),
  }));
  app.patch("/api/clients/:id", async (request: ClientRequest) => {
    const change = readChange(request.body);
    return { client: toShown(await changing(request, (acts, owner) => acts.change(owner, request.params.id, change))) };
  });
  app.delete("/api/clients/:id", async (request: ClientRequest, reply) => {
    await changing(request, (acts, owner) => acts.remove(owner, request.params.id));
    return reply.code(204).send();
  });
  app.post("/api/clients/:id/secret", async (request: ClientRequest, reply) => {
    const { client, secret } = await changing(request, (acts, owner) => acts.rotateSecret(owner, request.params.id));
    return reply.code(201).send({ client: toShown(client), clientSecret: secret });
  });
  app.delete("/api/clients/:id/previous-secret", async (request: ClientRequest, reply) => {
    await changing(request, (acts, owner) => acts.endPreviousSecret(owner, request.params.id));
    return reply.code(204).send();
  });
  app.register((scope, _options, done) => {
    const options = { parseAs: "buffer", bodyLimit: LOGO_BYTES } as const;
    scope.addContentTypeParser(/^image\//, options, async (_request: FastifyRequest, body: Buffer) => body);
    scope.put("/api/clients/:id/logo", { bodyLimit: LOGO_BYTES }, async (request: ClientRequest) => {
      if (!Buffer.isBuffer(request.body)) {
        throw loginRefusal("INVALID_CLIENT_INPUT", "Send a PNG, JPEG or WebP image with its media type.");
      }
      const logo = await readLogo(request.body);
      return {
        client: toShown(await changing(request, (acts, owner) => acts.change(owner, request.params.id, { logo }))),
      };
    });
    done();
  });
  app.delete("/api/clients/:id/logo", async (request: ClientRequest) => ({
    client: toShown(await changing(request, (acts, owner) => acts.change(owner, request.params.id, { logo: null }))),
  }));
}

function readBearer({ headers: { authorization } }: FastifyRequest): string {
  if (authorization === undefined) {
    throw loginRefusal("UNAUTHENTICATED", "Send a wallet token for this origin as Authorization: Bearer <token>.");
  }
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw loginRefusal("INVALID_TOKEN", "The header Authorization holds no Bearer token.");
  return token;
}

function toShown(client: LoginClient) {
  const { clientId, name, redirectUris, requireEmail, confirmLogin, hasLogo } = client;
  const { createdAt, lastUsedAt, previousSecretEndsAt } = client;
  return {
    clientId,
    name,
    redirectUris,
    requireEmail,
    confirmLogin,
    hasLogo,
    createdAt,
    lastUsedAt,
    previousSecretEndsAt,
  };
}

function readNewClient(body: unknown): ClientInput {
  const { name, redirectUris, requireEmail = false, confirmLogin = false } = readChange(body);
  if (name === undefined || redirectUris === undefined) {
    throw loginRefusal("INVALID_CLIENT_INPUT", "Send name and redirectUris.");
  }
  return { name, redirectUris, requireEmail, confirmLogin };
}

/** Reads the members that were sent. An unknown member is refused: it may be misspelt. */
function readChange(body: unknown): Partial<ClientInput> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw loginRefusal("INVALID_CLIENT_INPUT", "Send a JSON object.");
  }
  const { name, redirectUris, requireEmail, confirmLogin, ...unknown } = body as Readonly<Record<string, unknown>>;
  const [stranger] = Object.keys(unknown);
  if (stranger !== undefined)
    throw loginRefusal("INVALID_CLIENT_INPUT", `There is no member ${stranger.slice(0, 64)}.`);
  if (!isAbsentOr("string", name) || !(redirectUris === undefined || isListOfLines(redirectUris))) {
    throw loginRefusal("INVALID_CLIENT_INPUT", "name is a text, and redirectUris is a list of addresses.");
  }
  if (!isAbsentOr("boolean", requireEmail) || !isAbsentOr("boolean", confirmLogin)) {
    throw loginRefusal("INVALID_CLIENT_INPUT", "requireEmail and confirmLogin are true or false.");
  }
  const given = { name, redirectUris: redirectUris?.join("\n"), requireEmail, confirmLogin };
  const reading = readClientChange(given as GivenClient);
  if ("change" in reading) return reading.change;
  const [[field, fault] = ["", ""]] = Object.entries(reading.faults);
  throw loginRefusal("INVALID_CLIENT_INPUT", `${field}: ${fault}`);
}

function isAbsentOr(type: "string" | "boolean", value: unknown): boolean {
  return value === undefined || typeof value === type;
}

function isListOfLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((uri) => typeof uri === "string" && !uri.includes("\n"));
}
