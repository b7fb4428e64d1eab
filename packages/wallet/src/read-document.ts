import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { WalletError } from "./wallet-error.ts";

/**
 * Reads what is to be signed, by the reader of its kind: nothing is signed that its verifiers would not take.
 *
 * Refuses: INVALID_DOCUMENT in the reader's words. Source: decision A1.
 */
export function readDocument<Input, Document>(read: (input: Input) => Document, input: Input): Document {
  try {
    return read(input);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const message = `${error.message} Nothing was signed; mend it and try again.`;
    throw new WalletError("INVALID_DOCUMENT", message, { cause: error });
  }
}
