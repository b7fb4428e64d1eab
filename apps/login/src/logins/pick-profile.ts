import { type EName, parseEName } from "@dataspace/protocol/ename";
import type { Profile } from "../provider/account-claims.ts";

type Payload = Readonly<Record<string, unknown>>;

/** The payloads of a vault's profile records, oldest first. */
export interface ProfileRecords {
  readonly user: readonly Payload[];
  readonly professional: readonly Payload[];
}

const LONGEST_NAME = 256;
const LONGEST_EMAIL = 254;
const CONTROL = /\p{Cc}/u;

/**
 * Picks a person's names and email from the records of their vault. A record whose `ename` is the owner's has priority,
 * the User profile over the ProfessionalProfile. Values of another type, too long, or with control characters are
 * ignored.
 *
 * Refuses: never. Source: S2 "Claims".
 */
export function pickProfile(ename: EName, { user, professional }: ProfileRecords): Profile {
  const records = [...ownFirst(ename, user), ...ownFirst(ename, professional)];
  const first = (...fields: readonly string[]): string | undefined => {
    for (const record of records) {
      for (const field of fields) {
        const text = readText(record[field]);
        if (text !== undefined) return text;
      }
    }
    return undefined;
  };
  const givenName = first("givenName", "firstName");
  const familyName = first("familyName", "lastName");
  const displayName = records
    .map(({ displayName: text }) => readText(text))
    .find((text) => text !== undefined && !isOwn(ename, text));
  const name = displayName ?? ([givenName, familyName].filter((part) => part !== undefined).join(" ") || undefined);
  const email = records.map((record) => readEmail(record["email"])).find((text) => text !== undefined);
  return {
    ...(name === undefined ? {} : { name }),
    ...(givenName === undefined ? {} : { givenName }),
    ...(familyName === undefined ? {} : { familyName }),
    ...(email === undefined ? {} : { email }),
  };
}

function ownFirst(ename: EName, records: readonly Payload[]): readonly Payload[] {
  const own = records.filter((record) => isOwn(ename, record["ename"]));
  return [...own, ...records.filter((record) => !own.includes(record))];
}

function isOwn(ename: EName, value: unknown): boolean {
  // Most names are shorter than a UUID, and an exception costs more than the rest of the profile.
  if (typeof value !== "string" || value.length < ename.length - 1) return false;
  try {
    return parseEName(value) === ename;
  } catch {
    return false;
  }
}

function readText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const isUsable = text !== "" && text.length <= LONGEST_NAME && text.isWellFormed() && !CONTROL.test(text);
  return isUsable ? text : undefined;
}

/** An address with one `@` between two non-empty parts, without white space. */
function readEmail(value: unknown): string | undefined {
  const text = readText(value);
  if (text === undefined || text.length > LONGEST_EMAIL || /\s/u.test(text)) return undefined;
  const parts = text.split("@");
  return parts.length === 2 && parts.every((part) => part !== "") ? text : undefined;
}
