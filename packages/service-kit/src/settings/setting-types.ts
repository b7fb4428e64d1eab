import { isIP } from "node:net";
import { type OutgoingAllow, readOutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import { z } from "zod";
import { ADMIN_OFFSET } from "../http/listen.ts";
import { createSecret, type Secret } from "../secret.ts";
import { readSigningJwk, type SigningJwk } from "../signing-jwk.ts";
import { showAddress } from "./secret-settings.ts";

/** A setting with a default: it may be absent. */
type WithDefault<T> = z.ZodType<T, string | undefined>;

/** A setting without a default: add `.optional()` where it may be absent. */
type Required<T> = z.ZodType<T, string>;

type Reading<T> = { readonly value: T } | { readonly fault: string };

const MIN_DISTINCT_CHARACTERS = 16;
const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const SHOWN_CHARACTERS = 60;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;
const PROXIES =
  "Addresses and ranges such as `10.0.0.0/8`, separated by commas: the proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.";

/** A TCP port low enough for the admin port above it; 0 lets the system choose both. Source: decision P6. */
export function portSetting(defaultPort: number): WithDefault<number> {
  const what = `a port number (its admin port is ${ADMIN_OFFSET} above)`;
  return setting((text) => readInteger(text, { min: 0, max: 65_535 - ADMIN_OFFSET, what })).default(defaultPort);
}

/** An http or https origin; the result is `scheme://host[:port]`, without a trailing slash. */
export function baseUrlSetting(): Required<string> {
  return setting(readBaseUrl);
}

/** A whole number of seconds between two limits, both included. */
export function durationSecondsSetting(limits: {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}): WithDefault<number> {
  return setting((text) => readInteger(text, { ...limits, what: "a whole number of seconds" })).default(limits.default);
}

/** A time in ISO 8601 with its offset; the result is milliseconds since the epoch. */
export function timeSetting(): Required<number> {
  return setting((text): Reading<number> => {
    const value = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(value)) return { value };
    return { fault: `must be a time such as 2026-12-31T00:00:00Z, not ${shown(text)}` };
  });
}

/** A limit as a whole number, at most a thousand million; 0 for none. */
export function countSetting(defaultCount: number): WithDefault<number> {
  const limits = { min: 0, max: 1_000_000_000, what: "a whole number (0: no limit)" };
  return setting((text) => readInteger(text, limits)).default(defaultCount);
}

/** A private ES256 key (P-256) as a JWK in JSON. Its value is never repeated in a message. Source: RFC 7517. */
export function jwkSetting(): Required<SigningJwk> {
  return setting((text) => {
    const reading = readSigningJwk(text);
    return "fault" in reading ? reading : { value: reading.jwk };
  });
}

/** A secret: long enough and of at least 16 different characters. Its value is never repeated in a message. */
export function secretSetting(limits: { readonly minLength: number }): Required<Secret> {
  return setting((text) => {
    if (text.length < limits.minLength) {
      return { fault: `must have at least ${limits.minLength} characters, it has ${text.length}` };
    }
    if (new Set(text).size < MIN_DISTINCT_CHARACTERS) {
      return { fault: `must have at least ${MIN_DISTINCT_CHARACTERS} different characters: make a random one` };
    }
    return { value: createSecret(text) };
  });
}

/** One word of a closed list. */
export function oneOfSetting<const Values extends readonly [string, ...string[]]>(
  values: Values,
  defaultValue: Values[number],
): WithDefault<Values[number]> {
  return setting((text): Reading<Values[number]> => {
    const value = values.find((candidate) => candidate === text);
    return value === undefined ? { fault: `must be ${values.join(" or ")}, not ${shown(text)}` } : { value };
  }).default(defaultValue);
}

/** A switch: 1 or true, 0 or false. */
export function booleanSetting(defaultValue: boolean): WithDefault<boolean> {
  return setting((text): Reading<boolean> => {
    if (text === "1" || text === "true") return { value: true };
    if (text === "0" || text === "false") return { value: false };
    return { fault: `must be 1 or 0 (or true or false), not ${shown(text)}` };
  }).default(defaultValue);
}

/** The address to listen on: an IP address or a host name; 127.0.0.1 when absent. */
export function hostSetting(): WithDefault<string> {
  return setting((text): Reading<string> => {
    if (isIP(text) !== 0 || HOST_NAME.test(text)) return { value: text };
    return { fault: `must be an IP address or a host name, without a port, not ${shown(text)}` };
  })
    .default("127.0.0.1")
    .describe("The address that it listens on.");
}

/**
 * Targets of outgoing requests beside the public network: `host:port` and address ranges, comma-separated. Source:
 * decision E6.
 */
export function outgoingAllowSetting(): WithDefault<OutgoingAllow> {
  return setting(readOutgoingAllow).prefault("");
}

/**
 * The proxies whose forwarded client address is trusted: addresses and ranges such as 10.0.0.0/8, comma-separated; none
 * when absent.
 *
 * A range of all addresses is a fault: any client could then claim any address. Source: decisions, settings table.
 */
export function trustedProxiesSetting(): WithDefault<readonly string[]> {
  return setting(readTrustedProxies).prefault("").describe(PROXIES);
}

function setting<T>(read: (text: string) => Reading<T>): z.ZodPipe<z.ZodString, z.ZodTransform<T, string>> {
  return z.string().transform((text, context): T => {
    const reading = read(text);
    if ("value" in reading) return reading.value;
    context.addIssue({ code: "custom", message: reading.fault });
    return z.NEVER;
  });
}

function readTrustedProxies(text: string): Reading<readonly string[]> {
  const entries = text.split(",").flatMap((entry) => entry.trim() || []);
  const wrong = entries.find((entry) => !isAddressOrRange(entry));
  if (wrong === undefined) return { value: entries };
  return { fault: `lists addresses and address ranges such as 10.0.0.0/8, not ${shown(wrong)}` };
}

function isAddressOrRange(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function readInteger(
  text: string,
  limits: { readonly min: number; readonly max: number; readonly what: string },
): Reading<number> {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= limits.min && value <= limits.max) return { value };
  return { fault: `must be ${limits.what} from ${limits.min} to ${limits.max}, not ${shown(text)}` };
}

function readBaseUrl(text: string): Reading<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { fault: `must be an http or https address such as https://vault.example.org, not ${shownAddress(text)}` };
  }
  if (url.username !== "" || url.password !== "")
    return { fault: `must not carry a user name or password, as ${shownAddress(text)} does` };
  if (text.includes("?") || text.includes("#"))
    return { fault: `must not carry a query or a fragment, as ${shownAddress(text)} does` };
  if (url.pathname !== "/") return { fault: `must be an origin without a path, here ${url.origin}` };
  return { value: url.origin };
}

function shownAddress(text: string): string {
  return JSON.stringify(showAddress(text));
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text);
}
