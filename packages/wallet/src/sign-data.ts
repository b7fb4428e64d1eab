import { decodeEitherBase64 } from "@dataspace/protocol/base64url";
import { parseSignedJson } from "@dataspace/protocol/signed-json";
import type { JsonObject } from "@dataspace/protocol/meta-envelope";
import { describeText } from "./text-meaning.ts";
import { WalletError } from "./wallet-error.ts";

/** The data of a signing request: the message that is signed, and what accompanies it. */
interface SignData {
  readonly message: string;
  readonly context: JsonObject;
}

/**
 * Parses the `data` of a `ds://sign`.
 *
 * In: base64, standard or URL-safe, of UTF-8 JSON with `message` and `sessionId`, which must equal `session`.
 * Refuses: INVALID_SIGN_DATA for anything else; TOKEN_TO_SIGN for a message that, once signed, would be a token.
 * Source: decision I10.
 */
export function readSignData(data: string, session: string): SignData {
  const { message, sessionId, ...context } = decode(data);
  if (typeof message !== "string" || message === "") throw refusal("it contains no message");
  if (sessionId !== undefined && sessionId !== session) throw refusal("it is for another session");
  assertNoToken(message);
  return { message, context };
}

/** Refuses a text that would be a token once signed: TOKEN_TO_SIGN. Source: decision I4; RFC 7515 section 7.1. */
export function assertNoToken(text: string): void {
  if (describeText(text).kind !== "tokenInput") return;
  throw new WalletError(
    "TOKEN_TO_SIGN",
    "What the platform asks you to sign would be a token that acts as you, so the wallet does not sign it. Leave this platform.",
  );
}

function decode(data: string): JsonObject {
  const bytes = decodeEitherBase64(data);
  if (bytes === undefined) throw refusal("it is not base64");
  try {
    const value = parseSignedJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (cause) {
    throw refusal("it is not unambiguous JSON", cause);
  }
  throw refusal("it is not a JSON object");
}

function refusal(why: string, cause?: unknown): WalletError {
  return new WalletError(
    "INVALID_SIGN_DATA",
    `The wallet cannot show what it would sign, so it signs nothing: of the data, ${why}. Ask the platform for a new code.`,
    { cause },
  );
}
