import { parseSignedJson } from "@dataspace/protocol/signed-json";
import { SIGNED_PREFIXES } from "@dataspace/protocol/signed-payload";
import { isSignableSession } from "@dataspace/protocol/wallet-uri";

/** What a text means to those who verify signatures over it. */
export type TextKind = keyof typeof SIGNED_PREFIXES | "bindingDocument" | "session" | "tokenInput" | "text";

/** What signing a text does, in words that follow "Your signature". */
const DOINGS: Readonly<Record<TextKind, string>> = {
  handshake: "answers a platform handshake as a deployment",
  deployment: "authorises a deployment to run a release in your name",
  release: "submits a release to the certifying authority in your name",
  accessPolicy: "changes which platforms may reach your vault",
  signedReading: "states a reading about somebody as its issuer",
  review: "decides about a platform as a reviewer of a certifying authority",
  bindingDocument: "signs a binding document",
  session: "confirms a session, such as a login",
  tokenInput: "makes a token that acts as you",
  text: "confirms this text and nothing else",
};

/** The three bytes as `atob` returns them. */
const BYTE_ORDER_MARK = /^\u00ef\u00bb\u00bf/;

/** A text's kind, and what signing it does. */
export interface TextMeaning {
  readonly kind: TextKind;
  /** A sentence for the person who is asked: "Your signature authorises a deployment ...". */
  readonly sentence: string;
}

/**
 * Recognises what a text is, by the forms that verifiers accept, so that a person sees more than a digest.
 *
 * Refuses: never. Source: decision I10.
 */
export function describeText(text: string): TextMeaning {
  const kind = findKind(text);
  return { kind, sentence: `Your signature ${DOINGS[kind]}.` };
}

function findKind(text: string): TextKind {
  for (const [kind, prefix] of Object.entries(SIGNED_PREFIXES)) {
    if (text.startsWith(prefix)) return kind as keyof typeof SIGNED_PREFIXES;
  }
  if (isSignableSession(text)) return "session";
  if (isTokenInput(text)) return "tokenInput";
  return isBindingDocument(text) ? "bindingDocument" : "text";
}

// The first part of a token and a dot, whatever follows: signed, it would be a token. Parsed as leniently as any
// verifier might.
function isTokenInput(text: string): boolean {
  const [header, ...rest] = text.split(".");
  if (header === undefined || rest.length === 0) return false;
  try {
    const json = atob(header.replaceAll("-", "+").replaceAll("_", "/")).replace(BYTE_ORDER_MARK, "");
    return typeof JSON.parse(json) === "object";
  } catch {
    return false;
  }
}

function isBindingDocument(text: string): boolean {
  try {
    const value = parseSignedJson(text);
    return ["data", "subject", "type"].every((member) => Object.hasOwn(value as object, member));
  } catch {
    return false;
  }
}
