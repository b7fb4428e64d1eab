import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { OwnerKey } from "../store/key-rows.ts";

/** The certificates of an owner's keys. */
export interface Certificates {
  /**
   * Lists a certificate for each key in force, oldest key first; certificates that are not available are left out.
   * Refuses: never.
   */
  readonly listFor: (owner: EName) => Promise<readonly string[]>;
}

/** `listKeys` returns an owner's keys in force; `certifyKey` requests a certificate (a JWT) from the registry. */
export interface CertificatesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly listKeys: (owner: EName) => Promise<readonly OwnerKey[]>;
  readonly certifyKey: (binding: { readonly ename: EName; readonly publicKey: string }) => Promise<string>;
}

interface Certificate {
  readonly token: string;
  readonly expiresAtMs: number;
}

const RENEW_BEFORE_MS = 5 * 60_000;
const CACHED_CERTIFICATES = 50_000;

/**
 * Makes the certificates of this vault: requested on demand, cached until five minutes before they expire, one request
 * for concurrent callers. While the registry is down, a certificate that is still valid is served.
 *
 * Source: S1 "Key binding certificate"; decision V16.
 */
export function createCertificates({ clock, log, listKeys, certifyKey }: CertificatesDeps): Certificates {
  const cached = new LRUCache<string, Certificate>({ max: CACHED_CERTIFICATES });
  const asked = new Map<string, Promise<string | undefined>>();

  async function certify(name: string, ename: EName, publicKey: string): Promise<string | undefined> {
    try {
      const token = await certifyKey({ ename, publicKey });
      cached.set(name, { token, expiresAtMs: expiryMs(token) });
      return token;
    } catch (error) {
      log.warn({ err: error, owner: ename }, "the registry gave no key binding certificate");
      const known = cached.get(name);
      return known !== undefined && known.expiresAtMs > clock.nowMs() ? known.token : undefined;
    } finally {
      asked.delete(name);
    }
  }

  function certificateOf(ename: EName, { publicKey }: OwnerKey): Promise<string | undefined> | string {
    const name = `${ename} ${publicKey}`;
    const known = cached.get(name);
    if (known !== undefined && known.expiresAtMs - RENEW_BEFORE_MS > clock.nowMs()) return known.token;
    const running = asked.get(name) ?? certify(name, ename, publicKey);
    asked.set(name, running);
    return running;
  }

  return {
    listFor: async (owner) => {
      const keys = await listKeys(owner);
      const tokens = await Promise.all(keys.map((key) => certificateOf(owner, key)));
      return tokens.filter((token) => token !== undefined);
    },
  };
}

function expiryMs(token: string): number {
  const payload = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { exp: number };
  return payload.exp * 1000;
}
