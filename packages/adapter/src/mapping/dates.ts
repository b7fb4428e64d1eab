import { settleOperand } from "./settle-operand.ts";

/** How a platform holds a time: ISO 8601 text, a Date, milliseconds or seconds since the epoch, or a Firestore timestamp. */
export type LocalDateType = "iso" | "date" | "ms" | "s" | "firestore";

/** The names of these types, as a mapping writes them. */
export const LOCAL_DATE_TYPES: readonly LocalDateType[] = ["iso", "date", "ms", "s", "firestore"];

const MAX_CHARS = 64;
const ISO = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const ZONE = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i;
const RFC_2822 = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|UT|[+-]\d{4})$/;
const DATE_TEXT = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \([A-Za-z ]{1,40}\))?$/;
const FIRESTORE_TEXT =
  /^([A-Z][a-z]{2,8} \d{1,2}, \d{4}) at (\d{1,2}:\d\d:\d\d)[ \u202f](AM|PM) UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?$/;

/**
 * Reads a time from any form in which rows hold one.
 *
 * In: a number or bigint of milliseconds (of seconds for `s`), a Date, an object with `toDate()`, a Firestore timestamp, ISO 8601
 * (without a zone: UTC), RFC 2822, or the text of a Date or of the Firestore console. Out: milliseconds since the epoch, or
 * undefined. Refuses: never, whatever the value does. Source: decision A3.
 */
export function readTime(value: unknown, type: LocalDateType): number | undefined {
  const ms = readMs(value, type);
  return ms !== undefined && Math.abs(ms) <= 8.64e15 ? ms : undefined;
}

/** Writes a time as ISO 8601 in UTC with milliseconds. In: as `readTime` gives it. Refuses: never. */
export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Writes a time as the platform holds it. Refuses: never. */
export function toLocalTime(ms: number, type: LocalDateType): unknown {
  const seconds = Math.floor(ms / 1_000);
  if (type === "date") return new Date(ms);
  if (type === "ms") return ms;
  if (type === "s") return settleOperand((held) => Math.round(held * 1_000), ms / 1_000, ms);
  if (type === "firestore") return { _seconds: seconds, _nanoseconds: (ms - seconds * 1_000) * 1_000_000 };
  return toIsoTime(ms);
}

function readMs(value: unknown, type: LocalDateType): number | undefined {
  if (typeof value === "string") return readText(value);
  if (typeof value === "bigint") return readNumber(Number(value), type);
  if (typeof value === "number") return readNumber(value, type);
  if (typeof value !== "object" || value === null) return undefined;
  return readObject(value as Readonly<Record<string, unknown>>);
}

function readNumber(value: number, type: LocalDateType): number | undefined {
  // A calculated time is off by a little, so the nearest millisecond is meant.
  return finite(Math.round(type === "s" ? value * 1_000 : value));
}

function readObject(value: Readonly<Record<string, unknown>>): number | undefined {
  if (value instanceof Date) return finite(value.getTime());
  const seconds = value["_seconds"] ?? value["seconds"];
  const nanoseconds = value["_nanoseconds"] ?? value["nanoseconds"] ?? 0;
  if (typeof seconds === "number" && typeof nanoseconds === "number") {
    return finite(Math.round(seconds * 1_000) + Math.floor(nanoseconds / 1_000_000));
  }
  if (typeof value["toDate"] !== "function") return undefined;
  try {
    const date: unknown = value["toDate"]();
    return date instanceof Date ? finite(date.getTime()) : undefined;
  } catch {
    return undefined;
  }
}

function readText(text: string): number | undefined {
  if (text.length > MAX_CHARS) return undefined;
  if (ISO.test(text))
    return text.length === 24 && text.endsWith("Z") && !text.includes(" ") ? finite(Date.parse(text)) : readIso(text);
  if (RFC_2822.test(text) || DATE_TEXT.test(text)) return finite(Date.parse(text));
  const [, day, time, half, sign, hours, minutes = "00"] = FIRESTORE_TEXT.exec(text) ?? [];
  if (day === undefined) return undefined;
  const zone = sign === undefined ? "+0000" : `${sign}${hours?.padStart(2, "0")}${minutes}`;
  return finite(Date.parse(`${day} ${time} ${half} GMT${zone}`));
}

function readIso(text: string): number | undefined {
  const at = text.replace(" ", "T");
  if (!at.includes("T")) return finite(Date.parse(at));
  const [time = "", zone = "Z"] = [at.replace(ZONE, ""), ZONE.exec(at)?.[0].toUpperCase()];
  const offset = zone === "Z" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
  return finite(Date.parse(`${withMilliseconds(time)}${offset}`));
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}

/** Finer fractions than milliseconds are cut off. */
function withMilliseconds(time: string): string {
  const point = time.indexOf(".");
  return point < 0 ? time : time.slice(0, point + 4);
}
