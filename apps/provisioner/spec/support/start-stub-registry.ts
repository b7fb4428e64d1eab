import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

/** How the stub answers `/register`: like a registry, with a status and code, or by closing the connection. */
export type RegisterBehaviour =
  | "register"
  | "break"
  | "register-and-break"
  | { readonly status: number; readonly code: string };

/** A stub of the registry, another party, whose faults a test can choose. */
export interface StubRegistry {
  readonly url: string;
  readonly registered: Map<string, unknown>;
  readonly behave: (behaviour: RegisterBehaviour) => void;
  /** Signs claims with the registry's key, or with one that it does not publish. */
  readonly sign: (
    claims: Record<string, unknown>,
    options?: { readonly kid?: string; readonly strange?: boolean },
  ) => string;
}

/** The secret that the stub expects at `/register`. */
export const SHARED_SECRET = "a-secret-between-the-parties-of-a-test";

/** Starts the stub on a free port until the test ends. */
export async function startStubRegistry(t: TestContext): Promise<StubRegistry> {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const strangeKey = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const registered = new Map<string, unknown>();
  let behaviour: RegisterBehaviour = "register";
  const keySet = { keys: [{ ...key.publicKey.export({ format: "jwk" }), kid: "k1", alg: "ES256", use: "sig" }] };
  const server = createServer(async (request, response) => {
    if (request.url === "/.well-known/jwks.json") return response.end(JSON.stringify(keySet));
    return answerRegister(request, response, { registered, behaviour });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    registered,
    behave: (next) => {
      behaviour = next;
    },
    sign: (claims, { kid = "k1", strange = false } = {}) =>
      signToken((strange ? strangeKey : key).privateKey, { alg: "ES256", kid }, claims),
  };
}

function signToken(key: KeyObject, header: unknown, claims: unknown): string {
  const input = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" });
  return `${input}.${signature.toString("base64url")}`;
}

async function answerRegister(
  request: IncomingMessage,
  response: ServerResponse,
  { registered, behaviour }: { readonly registered: Map<string, unknown>; readonly behaviour: RegisterBehaviour },
): Promise<unknown> {
  const body = JSON.parse(await text(request)) as { readonly ename: string };
  if (request.headers.authorization !== `Bearer ${SHARED_SECRET}`) return refuse(response, 401, "UNAUTHENTICATED");
  if (behaviour === "break") return response.destroy();
  if (typeof behaviour === "object") return refuse(response, behaviour.status, behaviour.code);
  const earlier = registered.get(body.ename);
  if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(body))
    return refuse(response, 409, "ENAME_TAKEN");
  registered.set(body.ename, body);
  if (behaviour === "register-and-break") return response.destroy();
  return response.writeHead(earlier === undefined ? 201 : 200).end(JSON.stringify({ id: 1, ...body }));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(JSON.stringify({ error: { code, message: code } }));
}
