import { UpstreamError } from "@dataspace/clients/upstream-error";
import type { RegistryClient, VaultAddress } from "@dataspace/clients/registry-client";
import type { EName } from "@dataspace/protocol/ename";
import { untilAborted } from "./client-clock.ts";
import { type ExchangeDeps, exchange } from "./exchange.ts";
import { VaultError } from "./vault-error.ts";

/** Where one owner's vault is now. */
export interface VaultLocation {
  /** Finds the address to send to. Refuses: UNKNOWN_ENAME, REGISTRY_UNAVAILABLE, VAULT_UNREACHABLE; the reason of `signal`. */
  readonly find: (signal: AbortSignal | undefined) => Promise<VaultAddress>;
  /** Notes that the vault answered at this address. */
  readonly confirm: (address: VaultAddress) => void;
  /** Gives up an address, so that the next call asks the registry again. */
  readonly evict: (address: VaultAddress) => void;
  /** Asks for the vault's health. Out: the status of HEAD /whois, undefined when no answer comes within 2 s. */
  readonly askHealth: (address: VaultAddress) => Promise<number | undefined>;
}

/** What a location needs: the network, the time, and the registry's answer about an eName. */
export interface LocationDeps extends ExchangeDeps {
  readonly resolve: RegistryClient["resolve"];
}

const CHECK_AFTER_MS = 10_000;
const HEALTH_LIMIT_MS = 2_000;
/** As long as callers are refused at once after the vault gave no sign of life. */
const REFUSE_FOR_MS = 1_000;

interface Place {
  /** The address in use, and when the vault last answered there. */
  current: { readonly address: VaultAddress; goodAtMs: number } | undefined;
  /** The address that was given up last. */
  evictedUrl: string | undefined;
  failure: { readonly error: VaultError; readonly untilMs: number } | undefined;
  running: Promise<VaultAddress> | undefined;
}

/**
 * Makes the location of one owner's vault. The registry is asked once at a time. An address that gave no answer for 10 s is checked by
 * HEAD /whois before it is used; when the check fails, the registry is asked again. An address that was given up and is named again
 * is checked first, and while it does not answer, callers are refused at once for a second.
 *
 * Source: S1 "HEAD /whois"; S3 "Vault client rules".
 */
export function createVaultLocation(deps: LocationDeps, owner: EName): VaultLocation {
  const place: Place = { current: undefined, evictedUrl: undefined, failure: undefined, running: undefined };
  const askHealth = (address: VaultAddress) => headWhois(deps, address);
  return {
    find: async (signal) => {
      signal?.throwIfAborted();
      const now = deps.clock.nowMs();
      if (place.failure !== undefined && now < place.failure.untilMs) throw place.failure.error;
      if (place.current !== undefined && now - place.current.goodAtMs < CHECK_AFTER_MS) return place.current.address;
      place.running ??= locate(deps, place, owner).finally(() => {
        place.running = undefined;
      });
      return untilAborted(place.running, signal);
    },
    confirm: ({ uri }) => {
      if (place.current?.address.uri === uri) place.current.goodAtMs = deps.clock.nowMs();
    },
    evict: ({ uri }) => {
      if (place.current?.address.uri !== uri) return;
      place.current = undefined;
      place.evictedUrl = uri;
    },
    askHealth,
  };
}

async function locate(deps: LocationDeps, place: Place, owner: EName): Promise<VaultAddress> {
  const { current } = place;
  let checkedUrl: string | undefined;
  let status: number | undefined;
  if (current !== undefined) {
    checkedUrl = current.address.uri;
    status = await headWhois(deps, current.address);
    if (isHealthy(status)) return keep(deps, place, current.address);
    place.current = undefined;
  }
  const address = await askRegistry(deps, owner);
  if (address.uri === place.evictedUrl && address.uri !== checkedUrl) {
    checkedUrl = address.uri;
    status = await headWhois(deps, address);
  }
  // An address that answers is used even when the answer is a refusal: the call itself gets that refusal with its code.
  if (address.uri === checkedUrl && (status === undefined || status >= 500)) throw refuse(deps, place, address);
  return keep(deps, place, address);
}

function keep({ clock }: LocationDeps, place: Place, address: VaultAddress): VaultAddress {
  place.current = { address, goodAtMs: clock.nowMs() };
  place.evictedUrl = undefined;
  return address;
}

function refuse({ clock }: LocationDeps, place: Place, { uri }: VaultAddress): VaultError {
  const error = new VaultError("VAULT_UNREACHABLE", `The vault at ${uri} does not answer HEAD /whois.`);
  place.evictedUrl = uri;
  place.failure = { error, untilMs: clock.nowMs() + REFUSE_FOR_MS };
  return error;
}

async function askRegistry({ resolve }: LocationDeps, owner: EName): Promise<VaultAddress> {
  try {
    const address = await resolve(owner);
    if (address !== undefined) return address;
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause;
    const status = cause.refusal?.status ?? 503;
    throw new VaultError("REGISTRY_UNAVAILABLE", `The registry does not resolve ${owner}: ${cause.message}`, {
      status,
      cause,
    });
  }
  throw new VaultError("UNKNOWN_ENAME", `The registry knows no vault of ${owner}. Check the eName.`, { status: 404 });
}

async function headWhois(deps: LocationDeps, { uri, ename }: VaultAddress): Promise<number | undefined> {
  const request = {
    url: `${uri}/whois`,
    method: "HEAD",
    headers: { "x-ename": ename },
    timeoutMs: HEALTH_LIMIT_MS,
  } as const;
  try {
    return (await exchange(deps, request)).status;
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

/** A vault that limits its callers is alive. */
function isHealthy(status: number | undefined): boolean {
  return status !== undefined && ((status >= 200 && status < 300) || status === 429);
}
