import { WalletError } from "./wallet-error.ts";

/** The parameters of an address. A duplicate parameter is refused, since two readers could use two values. */
export interface UriParameters {
  /** The value with `+` unchanged: addresses and base64 contain it. */
  readonly find: (name: string) => string | undefined;
  /** The value for people, where `+` is a space. */
  readonly findWords: (name: string) => string | undefined;
}

/**
 * Parses the query of a wallet's address.
 *
 * In: the text after `?`, percent-encoded. Where a platform does not encode its redirect, the query is parsed as far as
 * possible.
 * Refuses: INVALID_URI for invalid percent-encoding, and its functions for a duplicate parameter.
 * Source: S2 "Login flow"; decision I10.
 */
export function readUriParameters(query: string): UriParameters {
  const pairs = query.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    return equals < 0 ? { name: pair, value: "" } : { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
  });
  const find = (name: string, decode: (value: string) => string): string | undefined => {
    const [first, second] = pairs.filter((pair) => pair.name === name);
    if (second !== undefined) throw refusal(`it says ${name} twice`);
    return first === undefined || first.value === "" ? undefined : decode(first.value);
  };
  return {
    find: (name) => find(name, decodePercent),
    findWords: (name) => find(name, (value) => decodePercent(value.replaceAll("+", " "))),
  };
}

function decodePercent(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw refusal("its percent-encoding is invalid");
  }
}

function refusal(why: string): WalletError {
  return new WalletError(
    "INVALID_URI",
    `The wallet cannot act on this address: ${why}. Ask the platform for a new code.`,
  );
}
