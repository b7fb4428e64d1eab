import { type EName, parseEName } from "@dataspace/protocol/ename";

/** What a wallet sends after the user approved a login: whose wallet it is, what it signed, and the signature. */
export interface WalletAnswer {
  readonly ename: EName;
  readonly session: string;
  readonly signature: string;
}

/** What reading an answer gave: the answer, or a sentence that says what is wrong with it. */
export type WalletAnswerReading = { readonly answer: WalletAnswer } | { readonly fault: string };

const LONGEST_TEXT = 1_024;

/**
 * Reads a wallet's answer. It looks at the specification's three names only.
 *
 * In: a JSON body, or query parameters by name; a parameter that was sent twice is an array and therefore a fault. Refuses: never.
 * Source: S2 "Login flow", 3; decision L4.
 */
export function readWalletAnswer(sent: unknown): WalletAnswerReading {
  const { ename, session, signature } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  if (!isShortText(ename) || !isShortText(session) || !isShortText(signature)) {
    return { fault: "Send ename, session and signature, each as text of at most 1,024 characters without U+0000." };
  }
  try {
    return { answer: { ename: parseEName(ename), session, signature } };
  } catch {
    return { fault: "ename is not an eName: write @ and a UUID." };
  }
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_TEXT && !value.includes("\0");
}
