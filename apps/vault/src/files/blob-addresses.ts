import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@dataspace/service-kit/clock";
import type { BlobPlace } from "./blob-store.ts";

/** The addresses under which the vault serves blobs without any header. */
export interface BlobAddresses {
  /** The address that works for whoever has it, while everybody may read the file's MetaEnvelope. */
  readonly stable: (place: BlobPlace) => string;
  /** An address that works for five minutes, and no longer than what it was given under stays as it is. */
  readonly signed: (place: BlobPlace, given: GivenUnder) => string;
  /** Whether the query of an address is one that `signed` wrote, under this and in time. Refuses: never. */
  readonly isSigned: (place: BlobPlace, given: GivenUnder, query: SignedQuery) => boolean;
}

/** What an address is given under: the MetaEnvelope's version, and the owner's access policy where that decided, as its text. */
export interface GivenUnder {
  readonly version: number;
  readonly policy: string | undefined;
}

/** The query of a signed address, as it came. */
export interface SignedQuery {
  readonly expires?: unknown;
  readonly signature?: unknown;
}

const LIFETIME_SECONDS = 300;
const PURPOSE = "dataspace blob address";

/**
 * Makes the addresses of blobs, signed with HMAC-SHA-256 under a key that is derived from the vault's secret for this alone.
 *
 * In: `secret`, the same for all processes of a deployment; `publicUrl` gives the vault's own address.
 * Source: decision V15.
 */
export function createBlobAddresses(
  { clock }: { readonly clock: Clock },
  { secret, publicUrl }: { readonly secret: string; readonly publicUrl: () => string },
): BlobAddresses {
  const key = createHmac("sha256", secret).update(PURPOSE).digest();
  const stable = (place: BlobPlace) => `${publicUrl()}/blobs/${place.owner.slice(1)}/${place.blobKey}`;
  function sign({ owner, blobKey }: BlobPlace, { version, policy = "" }: GivenUnder, expires: number): Buffer {
    return createHmac("sha256", key).update(`${owner}\n${blobKey}\n${version}\n${expires}\n${policy}`).digest();
  }
  return {
    stable,
    signed: (place, given) => {
      const expires = Math.floor(clock.nowMs() / 1000) + LIFETIME_SECONDS;
      return `${stable(place)}?expires=${expires}&signature=${sign(place, given, expires).toString("base64url")}`;
    },
    isSigned: (place, under, { expires, signature }) => {
      if (typeof expires !== "string" || !/^\d{1,12}$/.test(expires) || typeof signature !== "string") return false;
      const given = Buffer.from(signature, "base64url");
      const right = sign(place, under, Number(expires));
      const genuine = given.length === right.length && timingSafeEqual(given, right);
      return genuine && clock.nowMs() < Number(expires) * 1000;
    },
  };
}
