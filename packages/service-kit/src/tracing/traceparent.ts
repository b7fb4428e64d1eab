/** A place in a trace, as the header `traceparent` carries it. Source: W3C Trace Context, 3.2. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span that caused the work. */
  readonly spanId: string;
  readonly sampled: boolean;
}

const LENGTH = 55;
/** Longer values are ignored without a look at them; a later version may append members. */
const MAX_LENGTH = 256;
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;

/**
 * Parses a `traceparent`. Only its first 55 characters count, so the work is bounded.
 *
 * Out: undefined for a value that is missing or invalid; a new trace then begins. Refuses: never. Source: W3C Trace
 * Context, 3.2 and 4.3.
 */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== "string" || text.length < LENGTH || text.length > MAX_LENGTH) return undefined;
  const [, version, traceId = "", spanId = "", flags = ""] = FORM.exec(text.slice(0, LENGTH)) ?? [];
  if (version === undefined || version === "ff" || !isEndOfMembers(version, text)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

function isEndOfMembers(version: string, text: string): boolean {
  return text.length === LENGTH || (version !== "00" && text[LENGTH] === "-");
}

/** Writes a place in a trace as a `traceparent` of version 00. Refuses: never. Source: W3C Trace Context, 3.2. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

/** Returns a valid `traceparent` in version 00; undefined for any other value. Refuses: never. */
export function readTraceparent(text: unknown): string | undefined {
  const context = parseTraceparent(text);
  return context && formatTraceparent(context);
}
