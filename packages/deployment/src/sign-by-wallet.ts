import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJson } from "@dataspace/clients/parse-json";
import { makeSignUri } from "@dataspace/protocol/sign-request-uri";
import type { AskSignature, SignatureRequest } from "./ask-signature.ts";
import { DeploymentError } from "./deployment-error.ts";

/** How a wallet is asked: `show` gets the address for the wallet and the text that it signs; `timeoutMs` ends the wait. */
export interface WalletAsking {
  readonly show: (request: { readonly uri: string; readonly text: string }) => void;
  readonly timeoutMs: number;
}

const MOST_BYTES = 65_536;

/**
 * Asks a person's wallet by `ds://sign` and receives the signature at an address of this machine.
 *
 * An answer for another session or text, or by a key that is not the person's, is refused with 400 and waited on.
 * Refuses: SIGNATURE_MISSING when no wallet answered in time. Source: decision I10.
 */
export function signByWallet({ show, timeoutMs }: WalletAsking): AskSignature {
  return async (request) => {
    const session = crypto.randomUUID();
    const received = Promise.withResolvers<string>();
    const server = createServer((asked, response) => {
      answer({ asked, response }, { ...request, session }, received.resolve).catch(received.reject);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const timer = setTimeout(() => received.reject(tooLate(timeoutMs)), timeoutMs);
    try {
      const { text, shown } = request;
      show({ uri: makeSignUri({ text, session, shown, redirectUri: `http://127.0.0.1:${port}/signature` }), text });
      return await received.promise;
    } finally {
      clearTimeout(timer);
      server.close();
      // Also those that never finish what they send.
      server.closeAllConnections();
    }
  };
}

interface Exchange {
  readonly asked: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(
  { asked, response }: Exchange,
  expected: SignatureRequest & { readonly session: string },
  take: (signature: string) => void,
): Promise<void> {
  // A wallet may be a page of another origin; what it sends is judged by its signature alone.
  const headers = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "content-type",
    connection: "close",
  };
  const end = (status: number, body: object) =>
    response.writeHead(status, { ...headers, "content-type": "application/json" }).end(JSON.stringify(body));
  if (asked.method === "OPTIONS") return void end(200, {});
  if (asked.method !== "POST" || asked.url !== "/signature")
    return void end(404, refusal("NOT_FOUND", "Post to /signature."));
  const text = await readBounded(asked);
  const { sessionId, signature, message } = (parseJson(text ?? "") ?? {}) as Readonly<Record<string, unknown>>;
  const isAnswer = sessionId === expected.session && (message === undefined || message === expected.text);
  const isSigned = isAnswer && typeof signature === "string" && (await isAccepted(expected, signature));
  if (!isSigned) {
    const said = `The signature is not by a certified key of ${expected.signer} over the text that was asked for.`;
    return void end(400, refusal("SIGNATURE_REFUSED", said));
  }
  // The signature holds whether or not the wallet still waits for the answer.
  if (response.closed) return take(signature as string);
  response.once("close", () => take(signature as string));
  end(200, { success: true });
}

async function isAccepted({ accept }: SignatureRequest, signature: string): Promise<boolean> {
  try {
    return await accept(signature);
  } catch (error) {
    // The registry may answer when the wallet tries again.
    if (error instanceof DeploymentError) return false;
    throw error;
  }
}

async function readBounded(asked: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const part of asked as AsyncIterable<Buffer>) {
      sizeBytes += part.byteLength;
      if (sizeBytes > MOST_BYTES) return undefined;
      parts.push(part);
    }
  } catch {
    // Whoever sent it is gone; the wait goes on.
    return undefined;
  }
  return Buffer.concat(parts).toString("utf8");
}

function refusal(code: string, message: string): object {
  return { error: { code, message } };
}

function tooLate(timeoutMs: number): DeploymentError {
  const message = `No wallet signed within ${Math.round(timeoutMs / 1_000)} s; run the command again, or pass --signature.`;
  return new DeploymentError("SIGNATURE_MISSING", message);
}
