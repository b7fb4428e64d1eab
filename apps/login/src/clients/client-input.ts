import { isLoopbackHost } from "@dataspace/protocol/loopback-host";

/** A developer's input about a client. */
export interface ClientInput {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly requireEmail: boolean;
  readonly confirmLogin: boolean;
}

/** The result of reading a form: the input, or the fault of each field. */
export type ClientReading =
  | { readonly input: ClientInput }
  | { readonly faults: Readonly<Partial<Record<"name" | "redirectUris" | "logo", string>>> };

const LONGEST_NAME = 64;
const MOST_URIS = 10;
const LONGEST_URI = 2_048;
/** Control characters, and those that change the direction of text or are invisible. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const RESPONSE_PARAMETERS = ["code", "state", "iss", "error"];

/**
 * Reads a developer's input about a client. In: `redirectUris`, one per line.
 *
 * Refuses: never; faults are a value. Source: S2 "Client"; decision L11; RFC 9700.
 */
export function readClientInput(given: {
  readonly name: string;
  readonly redirectUris: string;
  readonly requireEmail: boolean;
  readonly confirmLogin: boolean;
}): ClientReading {
  const name = given.name.normalize("NFC").trim();
  const redirectUris = given.redirectUris.split("\n").flatMap((line) => line.trim() || []);
  const [nameFault, uriFault] = [findNameFault(name), findUriFault(redirectUris)];
  if (nameFault === undefined && uriFault === undefined) {
    const { requireEmail, confirmLogin } = given;
    return { input: { name, redirectUris, requireEmail, confirmLogin } };
  }
  return {
    faults: {
      ...(nameFault === undefined ? {} : { name: nameFault }),
      ...(uriFault === undefined ? {} : { redirectUris: uriFault }),
    },
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
