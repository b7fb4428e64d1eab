import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@dataspace/service-kit/clock";
import type { BlobPlace } from "./blob-store.ts";

/** The addresses under which the vault serves blobs without any header. */
export interface BlobAddresses {
  /** The address that works for anybody who has it, while everybody may read the file's MetaEnvelope. */
  readonly stable: (place: BlobPlace) => string;
  /** An address that works for five minutes, and only while its basis does not change. */
  readonly signed: (place: BlobPlace, given: GivenUnder) => string;
  /** Checks whether an address's query was created by `signed`, for this basis and in time. Refuses: never. */
  readonly isSigned: (place: BlobPlace, given: GivenUnder, query: SignedQuery) => boolean;
}

/**
 * The basis of an address: the MetaEnvelope's version, and the text of the owner's access policy where that decided.
 */
export interface GivenUnder {
  readonly version: number;
  readonly policy: string | undefined;
}

/** The unchecked query of a signed address. */
export interface SignedQuery {
  readonly expires?: unknown;
  readonly signature?: unknown;
}

const LIFETIME_SECONDS = 300;
const PURPOSE = "dataspace blob address";

/**
 * Makes the addresses of blobs, signed with HMAC-SHA-256. The key is derived from the vault's secret for this purpose
 * only.
 *
 * In: `secret`, the same for all processes of the vault service; `publicUrl` returns the vault's own address.
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
