import type { Envelope, JsonValue } from "@dataspace/protocol/meta-envelope";
import { payloadToEnvelopes } from "../meta-envelopes/envelopes.ts";
import type { Payload } from "../meta-envelopes/payload.ts";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import type { Version } from "../meta-envelopes/version.ts";
import { RawJson } from "./raw-json.ts";
import type { ResolverContext } from "./resolver.ts";
import { createTurns } from "./turns.ts";

/** An Envelope in an answer; a long value is its stored text. */
export type AnsweredEnvelope = Omit<Envelope, "value"> & { readonly value: JsonValue | RawJson };

/** The size of an Envelope in an answer beside its value and its key, which occurs three times. */
const ENVELOPE_BYTES = 256;
/** The parsing cost of an Envelope in characters. */
const ENVELOPE_CHARACTERS = 512;
const LONG_CHARACTERS = 1_024;

const parsedPayloads = new WeakMap<VisibleMetaEnvelope, Payload>();
const waitForTurn = createTurns();

/** The payload of a MetaEnvelope, parsed once for any number of selected members. */
export function toParsed(metaEnvelope: VisibleMetaEnvelope): Payload {
  const known = parsedPayloads.get(metaEnvelope);
  if (known !== undefined) return known;
  const parsed = JSON.parse(metaEnvelope.payloadText) as Payload;
  parsedPayloads.set(metaEnvelope, parsed);
  return parsed;
}

/**
 * The stored payload of a MetaEnvelope or of a version; null for a removal.
 *
 * Refuses: RESULT_TOO_LARGE, BUSY. Source: decision V25.
 */
export function answerPayload(
  { payloadText }: Pick<VisibleMetaEnvelope | Version, "payloadText">,
  _: unknown,
  { deps }: ResolverContext,
): RawJson | null {
  if (payloadText === null) return null;
  deps.reads.budget.take(Buffer.byteLength(payloadText));
  return new RawJson(payloadText);
}

/** The Envelopes of a MetaEnvelope. Refuses: RESULT_TOO_LARGE, BUSY. Source: decision V25. */
export function answerEnvelopes(
  metaEnvelope: VisibleMetaEnvelope,
  _: unknown,
  context: ResolverContext,
): readonly AnsweredEnvelope[] | Promise<readonly AnsweredEnvelope[]> {
  const wait = waitForTurn(metaEnvelope.payloadText.length);
  return wait === undefined ? toEnvelopes(metaEnvelope, context) : wait.then(() => toEnvelopes(metaEnvelope, context));
}

/** The Envelopes of many MetaEnvelopes, one after the other. Refuses: RESULT_TOO_LARGE, BUSY. Source: decision V25. */
export async function answerAllEnvelopes(
  metaEnvelopes: readonly VisibleMetaEnvelope[],
  context: ResolverContext,
): Promise<readonly (AnsweredEnvelope | Promise<AnsweredEnvelope>)[]> {
  const all: (readonly AnsweredEnvelope[])[] = [];
  for (const metaEnvelope of metaEnvelopes) all.push(await answerEnvelopes(metaEnvelope, undefined, context));
  return all.flat().map((envelope) => waitForTurn(ENVELOPE_CHARACTERS)?.then(() => envelope) ?? envelope);
}

function toEnvelopes(metaEnvelope: VisibleMetaEnvelope, { deps }: ResolverContext): readonly AnsweredEnvelope[] {
  const { id, payloadText } = metaEnvelope;
  const payload = payloadText.length < LONG_CHARACTERS ? toParsed(metaEnvelope) : (JSON.parse(payloadText) as Payload);
  const envelopes = payloadToEnvelopes(id, payload);
  const keys = envelopes.reduce((bytes, { fieldKey }) => bytes + 3 * fieldKey.length, 0);
  deps.reads.budget.take(Buffer.byteLength(payloadText) + keys + ENVELOPE_BYTES * envelopes.length);
  if (payloadText.length < LONG_CHARACTERS) return envelopes;
  // Converted at once, so that parsed values are not held in memory until the answer is written.
  return envelopes.map((envelope) => ({ ...envelope, value: new RawJson(JSON.stringify(envelope.value)) }));
}
