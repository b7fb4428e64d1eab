import type { EName } from "@dataspace/protocol/ename";
import type { Caller } from "../caller/caller.ts";
import type { IdentifyCaller } from "../caller/identify-caller.ts";
import { readOwner } from "../caller/read-ename-header.ts";
import { refusal } from "../errors.ts";
import type { Vault } from "../store/vault-rows.ts";
import type { LimitCaller } from "./caller-limits.ts";
import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the whole request had arrived before its credential was checked. */
    hadArrivedWhenIdentified: boolean;
  }
}

/** Finds the vault of an eName, cached where it was found recently. */
export type FindVault = (owner: EName) => Promise<Vault | undefined>;

/** The dependencies of finding vault and caller. */
export interface AddressedDeps {
  readonly findVault: FindVault;
  readonly identifyCaller: IdentifyCaller;
  readonly limitCaller: LimitCaller;
  /** Counts the request's questions to the registry for its proven caller, no longer for its source address. */
  readonly countQuestionsFor: (caller: EName) => void;
  /** The vault's own address, which DPoP proofs name. */
  readonly publicUrl: () => string;
}

/**
 * Finds the vault that a request addresses, before anything else of it is examined. A request never creates a vault.
 *
 * Refuses: MISSING_ENAME, INVALID_ENAME (400), UNKNOWN_ENAME (404). Source: decision V2.
 */
export async function addressedVault(
  { findVault }: Pick<AddressedDeps, "findVault">,
  request: FastifyRequest,
): Promise<Vault> {
  const owner = readOwner(request.headers["x-ename"]);
  const vault = await findVault(owner);
  if (vault === undefined)
    throw refusal("UNKNOWN_ENAME", `${owner} has no vault here; resolve it at the registry.`, "X-ENAME");
  return vault;
}

/**
 * Identifies the caller at the addressed vault, and counts the request against that caller's limit.
 *
 * Refuses: as `addressedVault`, then INVALID_TOKEN (401), RATE_LIMITED (429). Source: decisions V2, V21.
 */
export async function addressedCaller(deps: AddressedDeps, request: FastifyRequest): Promise<Caller> {
  const { owner, isKeyless: isVaultKeyless } = await addressedVault(deps, request);
  const identified = await identify(deps, request, { owner, again: false });
  const caller = { ...identified, isVaultKeyless };
  if (caller.subject !== null) deps.countQuestionsFor(caller.subject);
  await deps.limitCaller(request, caller);
  return caller;
}

/**
 * Checks the credential of a request again once its body has arrived. So a client that delays its body gains nothing
 * from a token that has expired, or a key that was removed, in the meantime.
 *
 * Refuses: INVALID_TOKEN (401). Source: decision V26.
 */
export async function assertStillCaller(deps: AddressedDeps, request: FastifyRequest, caller: Caller): Promise<void> {
  if (request.hadArrivedWhenIdentified) return;
  await identify(deps, request, { owner: caller.owner, again: true });
}

function identify(
  deps: AddressedDeps,
  request: FastifyRequest,
  { owner, again }: { readonly owner: EName; readonly again: boolean },
): Promise<Caller> {
  // By now the parser has passed on everything that arrived in one piece with the headers.
  request.hadArrivedWhenIdentified = request.raw.complete;
  const { authorization, "x-on-behalf-of": onBehalfOf, dpop } = request.headers;
  return deps.identifyCaller(owner, {
    authorization,
    onBehalfOf: typeof onBehalfOf === "string" ? onBehalfOf : undefined,
    dpop: typeof dpop === "string" ? dpop : undefined,
    method: request.method,
    url: deps.publicUrl() + (request.url.split("?")[0] as string),
    again,
  });
}
