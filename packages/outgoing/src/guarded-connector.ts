import type { LookupFunction } from "node:net";
import { parseUrl } from "@dataspace/protocol/parse-url";
import ipaddr from "ipaddr.js";
import { buildConnector } from "undici";
import { OutgoingError, type OutgoingErrorCode } from "./outgoing-error.ts";

/** The time limit of a guarded request, from the name lookup to the last byte that is read. Source: decision E6. */
export const GUARDED_TIMEOUT_MS = 5_000;
/** The largest headers of an answer to a guarded request. Source: decision E6. */
export const GUARDED_HEADER_BYTES = 16_384;

/** The HTTP client's error codes and ours; all others are `unreachable`. */
const CODES: Readonly<Record<string, OutgoingErrorCode>> = {
  UND_ERR_HEADERS_OVERFLOW: "too_large",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "too_large",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
};

/**
 * Makes the connector for the checked addresses only. It checks the remote address again before anything is written.
 *
 * Refuses: by its callback, OutgoingError `forbidden_target`, and network errors. Source: decision E6.
 */
export function createGuardedConnector(addresses: readonly string[], url: URL): buildConnector.connector {
  const judged = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, judged);
  const connect = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: GUARDED_TIMEOUT_MS,
    autoSelectFamily: true,
    lookup,
  });
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && addresses.includes(ipaddr.process(remoteAddress).toString())) {
        return callback(null, socket);
      }
      socket.destroy();
      callback(new OutgoingError("forbidden_target", `${url.origin} was reached at another address.`), null);
    });
  };
}

/** Converts the failure of a guarded request. Refuses: never. */
export function toOutgoingError(error: unknown, url: string): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  const isUnreadable = name === "HTTPParserError" || error instanceof RangeError || error instanceof TypeError;
  const known = (typeof code === "string" ? CODES[code] : undefined) ?? (isUnreadable ? "malformed" : "unreachable");
  return new OutgoingError(known, `${originOf(url)} gave no valid answer: ${known}.`, error);
}

/** Makes the error of a guarded request that took too long. Refuses: never. */
export function lateError(url: string, cause?: unknown): OutgoingError {
  return new OutgoingError("timeout", `${originOf(url)} did not answer in time.`, cause);
}

function originOf(url: string): string {
  return parseUrl(url)?.origin ?? "the address";
}
