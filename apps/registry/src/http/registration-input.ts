import { textToBaseAddress } from "@dataspace/protocol/base-address";
import type { EName } from "@dataspace/protocol/ename";
import { registryRefusal } from "../errors.ts";
import type { Registration } from "../names/registration.ts";
import { type Members, readEName, readText } from "./read-input.ts";

/**
 * Reads the body of a registration.
 *
 * Out: `uri` without a trailing slash, since callers append `/graphql` to it.
 * Refuses: BAD_REQUEST. Source: decision X2; S3 "Registry calls used by the adapter and verifiers".
 */
export function readRegistration(members: Members): Omit<Registration, "id"> {
  return { ename: readEName(members, "ename"), uri: readUri(members), vault: readText(members, "vault") };
}

/**
 * Reads the body of an address change: the eName and at least one of `uri` and `vault`.
 *
 * Refuses: BAD_REQUEST. Source: decision X2.
 */
export function readChange(members: Members): { ename: EName; uri: string | undefined; vault: string | undefined } {
  const change = {
    ename: readEName(members, "ename"),
    uri: members["uri"] === undefined ? undefined : readUri(members),
    vault: members["vault"] === undefined ? undefined : readText(members, "vault"),
  };
  if (change.uri === undefined && change.vault === undefined) {
    throw registryRefusal("BAD_REQUEST", "Give uri, vault or both: the values to change.");
  }
  return change;
}

function readUri(members: Members): string {
  const text = members["uri"];
  const uri = typeof text === "string" ? textToBaseAddress(text) : undefined;
  if (uri === undefined) {
    throw registryRefusal("BAD_REQUEST", "Give uri as an http or https base address without user, query or fragment.");
  }
  return uri;
}
