import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { WalletError } from "./wallet-error.ts";

/**
 * Parses a document to sign with its kind's own parser: the wallet signs nothing that verifiers would refuse.
 *
 * Refuses: INVALID_DOCUMENT with the parser's message. Source: decision A1.
 */
export function readDocument<Input, Document>(read: (input: Input) => Document, input: Input): Document {
  try {
    return read(input);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const message = `${error.message} Nothing was signed; correct it and try again.`;
    throw new WalletError("INVALID_DOCUMENT", message, { cause: error });
  }
}
