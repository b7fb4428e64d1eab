import { isEName } from "@dataspace/protocol/ename";
import { isIsoTime } from "@dataspace/protocol/iso-time";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { isUuid } from "@dataspace/protocol/uuid";

/**
 * What happened to one MetaEnvelope: the nine fields of a webhook.
 *
 * `id` and `dsid` name the record and its owner, `schemaId` its ontology. `data` is the whole payload afterwards, `{}`
 * after a removal. `vaultPublicKey` is information, not a proof, and null for a vault without keys. `streamVersion`
 * counts the changes of this record from 1.
 */
export interface WebhookEvent {
  readonly eventId: string;
  readonly id: string;
  readonly dsid: string;
  readonly schemaId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly vaultPublicKey: string | null;
  readonly operation: "create" | "update" | "delete";
  readonly streamVersion: number;
  readonly occurredAt: string;
}

const FIELDS: Readonly<
  Record<keyof WebhookEvent, { readonly is: (value: unknown) => boolean; readonly says: string }>
> = {
  eventId: { is: isUuid, says: "a UUID" },
  id: { is: isText, says: "the record's id" },
  dsid: { is: isEName, says: "an eName" },
  schemaId: { is: isText, says: "the ontology's id" },
  data: { is: isObject, says: "a JSON object" },
  vaultPublicKey: { is: (value) => value === null || isKeyText(value), says: "a public key or null" },
  operation: {
    is: (value) => value === "create" || value === "update" || value === "delete",
    says: "create, update or delete",
  },
  streamVersion: { is: (value) => Number.isSafeInteger(value) && Number(value) >= 1, says: "a whole number from 1" },
  occurredAt: { is: isIsoTime, says: "an ISO 8601 time" },
};

/**
 * Parses the body of a webhook; members other than the nine are left out.
 *
 * In: UTF-8. Refuses: ProtocolError INVALID_WEBHOOK, with `at` the field at fault where there is one.
 * Source: S1 "Webhook payload"; decisions E3, V9.
 */
export function parseWebhookEvent(body: Uint8Array): WebhookEvent {
  const value = readJson(body);
  if (!isObject(value)) throw new ProtocolError("INVALID_WEBHOOK", "The body of a webhook is a JSON object in UTF-8.");
  const entries = Object.entries(FIELDS).map(([name, { is, says }]) => {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!is(field)) throw new ProtocolError("INVALID_WEBHOOK", `The field ${name} of a webhook is ${says}.`, name);
    return [name, field] as const;
  });
  return Object.fromEntries(entries) as unknown as WebhookEvent;
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isKeyText(value: unknown): boolean {
  return typeof value === "string" && /^z./.test(value);
}
