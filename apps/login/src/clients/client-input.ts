import { isLoopbackHost } from "@dataspace/protocol/loopback-host";

/** A developer's input about a client. */
export interface ClientInput {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly requireEmail: boolean;
  readonly confirmLogin: boolean;
}

/** The faults of a developer's input, by field. */
export type ClientFaults = Readonly<Partial<Record<"name" | "redirectUris" | "logo", string>>>;

/** The result of reading a form: the input, or the fault of each field. */
export type ClientReading = { readonly input: ClientInput } | { readonly faults: ClientFaults };

/** What was sent about a client; `redirectUris`, one per line. An absent member stays as it is. */
export interface GivenClient {
  readonly name?: string | undefined;
  readonly redirectUris?: string | undefined;
  readonly requireEmail?: boolean | undefined;
  readonly confirmLogin?: boolean | undefined;
}

const LONGEST_NAME = 64;
const MOST_URIS = 10;
const LONGEST_URI = 2_048;
/** Control characters, and those that change the direction of text or are invisible. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const RESPONSE_PARAMETERS = ["code", "state", "iss", "error"];

/**
 * Reads a developer's input about a client.
 *
 * Refuses: never; faults are a value. Source: S2 "Client"; decision L11; RFC 9700.
 */
export function readClientInput({ name, redirectUris, requireEmail, confirmLogin }: Whole<GivenClient>): ClientReading {
  const reading = readClientChange({ name, redirectUris, requireEmail, confirmLogin });
  if ("faults" in reading) return reading;
  return { input: { ...EMPTY, ...reading.change } };
}

type Whole<Given> = { readonly [Name in keyof Given]-?: NonNullable<Given[Name]> };

const EMPTY: ClientInput = { name: "", redirectUris: [], requireEmail: false, confirmLogin: false };

/** Reads the members of a change that were sent, and no others. Refuses: never; faults are a value. Source: as `readClientInput`. */
export function readClientChange(
  given: GivenClient,
): { readonly change: Partial<ClientInput> } | { readonly faults: ClientFaults } {
  const name = given.name?.normalize("NFC").trim();
  const redirectUris = given.redirectUris?.split("\n").flatMap((line) => line.trim() || []);
  const { requireEmail, confirmLogin } = given;
  const nameFault = name === undefined ? undefined : findNameFault(name);
  const uriFault = redirectUris === undefined ? undefined : findUriFault(redirectUris);
  if (nameFault === undefined && uriFault === undefined) {
    return { change: withoutAbsent({ name, redirectUris, requireEmail, confirmLogin }) };
  }
  return { faults: withoutAbsent({ name: nameFault, redirectUris: uriFault }) };
}

function withoutAbsent<Value extends object>(
  value: Value,
): { readonly [Name in keyof Value]?: NonNullable<Value[Name]> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    readonly [Name in keyof Value]?: NonNullable<Value[Name]>;
  };
}

function findNameFault(name: string): string | undefined {
  if (name === "") return "Enter a name. People see it when they log in.";
  if (name.length > LONGEST_NAME) return `Enter at most ${LONGEST_NAME} characters.`;
  if (DECEPTIVE.test(name) || !name.isWellFormed()) return "Remove the characters that are not visible.";
  return undefined;
}

function findUriFault(uris: readonly string[]): string | undefined {
  if (uris.length === 0) return "Enter the address to which your identity provider returns.";
  if (uris.length > MOST_URIS) return `Enter at most ${MOST_URIS} addresses.`;
  for (const uri of uris) {
    const fault = findOneUriFault(uri);
    if (fault !== undefined) return `${uri.slice(0, 100)}: ${fault}`;
  }
  return undefined;
}

function findOneUriFault(text: string): string | undefined {
  if (text.length > LONGEST_URI) return `has more than ${LONGEST_URI} characters.`;
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//.test(text)) return "is not an https address.";
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) return "must be https, or http on a loopback host.";
  if (url.username !== "" || url.password !== "") return "must not carry a user name or a password.";
  if (text.includes("#")) return "must not have a fragment.";
  if (text.includes("*")) return "must not have a wildcard.";
  if (text.includes("\\") || DECEPTIVE.test(text) || text.includes(" ")) return "has a character that is not allowed.";
  const reserved = RESPONSE_PARAMETERS.find((name) => url.searchParams.has(name));
  return reserved === undefined ? undefined : `must not have the parameter ${reserved}, which the answer carries.`;
}
