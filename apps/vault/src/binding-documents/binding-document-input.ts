import { type BindingDocument, parseBindingDocument } from "@dataspace/protocol/binding-document";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { refusal } from "../errors.ts";
import { assertPayload } from "../meta-envelopes/payload.ts";

/** The content of a new binding document, as GraphQL has it. */
export interface BindingDocumentInput {
  readonly subject: string;
  readonly type: string;
  readonly data: unknown;
}

/**
 * Reads the content of a binding document: the known members of its type's data, `kind` set, eNames normalised. The
 * result, not the input, is signed and stored.
 *
 * Refuses: INVALID_ENAME (the subject), INVALID_BINDING_DOCUMENT with the member at fault, and what `assertPayload`
 * refuses.
 * Source: S1 "Binding document"; decisions V7, V14.
 */
export function readBindingDocument({ subject, type, data }: BindingDocumentInput): BindingDocument {
  assertPayload(data, "data");
  try {
    return parseBindingDocument({ subject, type, data });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw refusal(error.at === "subject" ? "INVALID_ENAME" : "INVALID_BINDING_DOCUMENT", error.message, error.at);
  }
}
