import { canonical } from "./canonical-json.ts";
import { type EName, parseEName } from "./ename.ts";
import { ProtocolError } from "./protocol-error.ts";

/** The content of a binding document without its signatures: exactly what is signed. */
export type BindingDocument = { readonly subject: EName } & (
  | { readonly type: "id_document"; readonly data: IdDocumentData }
  | { readonly type: "photograph"; readonly data: PhotographData }
  | { readonly type: "social_connection"; readonly data: SocialConnectionData }
  | { readonly type: "self"; readonly data: SelfData }
);

/** The data of an `id_document`: who checked it, under which reference, and the name on it. */
export interface IdDocumentData {
  readonly vendor: string;
  readonly reference: string;
  readonly name: string;
}

/** The data of a `photograph`. */
export interface PhotographData {
  readonly photoBlob: string;
  readonly description?: string;
}

/** The data of a `social_connection`: two people, and how they are related. */
export interface SocialConnectionData {
  readonly kind: "social_connection";
  readonly name: string;
  readonly parties: readonly [EName, EName];
  readonly relation_description: string;
}

/** The data of a `self` document: the name that a person gives. */
export interface SelfData {
  readonly kind: "self";
  readonly name: string;
}

/**
 * Rebuilds a binding document from client input: known members only, eNames normalised, `kind` set.
 *
 * Refuses: INVALID_BINDING_DOCUMENT with the position of what is missing or mistyped.
 * Source: S1 Binding document; decision V14.
 */
export function parseBindingDocument(input: {
  readonly subject: unknown;
  readonly type: unknown;
  readonly data: unknown;
}): BindingDocument {
  const subject = readEName(input.subject, "subject");
  const { type, data } = input;
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw refusal("data", "must be an object");
  }
  const members = data as Members;
  switch (type) {
    case "id_document":
      return { subject, type, data: readIdDocument(members) };
    case "photograph":
      return { subject, type, data: readPhotograph(members) };
    case "social_connection":
      return { subject, type, data: readSocialConnection(members) };
    case "self":
      return { subject, type, data: { kind: "self", name: readText(members, "name") } };
    default:
      throw refusal("type", "must be id_document, photograph, social_connection or self");
  }
}

/**
 * Writes the text that owner and counterparties sign; its SHA-256 in hex is the document's hash.
 *
 * In: a document from `parseBindingDocument`, without signatures.
 * Refuses: never for such a document.
 * Source: decision V14; RFC 8785.
 */
export function bindingDocumentText(document: BindingDocument): string {
  const { subject, type, data } = document;
  return canonical({ subject, type, data });
}

type Members = Readonly<Record<string, unknown>>;

function readIdDocument(data: Members): IdDocumentData {
  return {
    vendor: readText(data, "vendor"),
    reference: readText(data, "reference"),
    name: readText(data, "name"),
  };
}

function readPhotograph(data: Members): PhotographData {
  const photoBlob = readText(data, "photoBlob");
  const isDescribed = Object.hasOwn(data, "description") && data["description"] !== undefined;
  return isDescribed ? { photoBlob, description: readText(data, "description") } : { photoBlob };
}

function readSocialConnection(data: Members): SocialConnectionData {
  return {
    kind: "social_connection",
    name: readText(data, "name"),
    parties: readParties(Object.hasOwn(data, "parties") ? data["parties"] : undefined),
    relation_description: readText(data, "relation_description"),
  };
}

function readParties(value: unknown): readonly [EName, EName] {
  if (!Array.isArray(value) || value.length !== 2) {
    throw refusal("data.parties", "must be a list of exactly two eNames");
  }
  const parties = [readEName(value[0], "data.parties[0]"), readEName(value[1], "data.parties[1]")] as const;
  if (parties[0] === parties[1]) {
    throw refusal("data.parties", "must be two different eNames");
  }
  return parties;
}

function readText(data: Members, name: string): string {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  if (typeof value !== "string" || !value.isWellFormed()) {
    throw refusal(`data.${name}`, "must be text");
  }
  return value;
}

function readEName(value: unknown, at: string): EName {
  try {
    return parseEName(value as string);
  } catch {
    throw refusal(at, "must be an eName: @ followed by a UUID");
  }
}

function refusal(at: string, why: string): ProtocolError {
  return new ProtocolError("INVALID_BINDING_DOCUMENT", `Invalid binding document: ${at} ${why}.`, at);
}
