/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object, such as a MetaEnvelope's payload. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The kind of value of an Envelope: S1's four, and JSON's other two (decision V6). */
export type ValueType = "string" | "number" | "object" | "array" | "boolean" | "null";

/** One field of a MetaEnvelope. `ontology` is the old alias of `fieldKey` (S1 Envelope). */
export interface Envelope {
  readonly id: string;
  readonly fieldKey: string;
  readonly ontology: string;
  readonly value: JsonValue;
  readonly valueType: ValueType;
}

/**
 * Returns the kind of a field's value.
 *
 * Refuses: never.
 * Source: S1 Envelope, valueType; decision V6.
 */
export function valueTypeOf(value: JsonValue): ValueType {
  if (value === null) {
    return "null";
  }
  return Array.isArray(value) ? "array" : (typeof value as "string" | "number" | "object" | "boolean");
}
