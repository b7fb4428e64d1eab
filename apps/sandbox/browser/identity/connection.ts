import { withoutTrailingSlashes } from "@dataspace/protocol/base-address";
import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import { IDENTITY_TEXTS } from "./identity-texts.ts";

/** The parties that provide entropy, eNames and vaults, and the operator's verification code. */
export interface Connection {
  readonly registryUrl: string;
  readonly provisionerUrl: string;
  readonly verificationId: string;
}

/** The connection in use, which a visitor may change. */
export interface Connections {
  readonly current: () => Connection;
  readonly defaults: Connection;
  /**
   * Refuses: an Error for an address that is not http, for one that is not on this machine unless `elsewhere` confirms
   * it, and for a missing code.
   */
  readonly use: (wanted: Connection, elsewhere: boolean) => void;
  readonly reset: () => void;
}

const KEPT_AT = "dataspace-sandbox-connection";

/** Opens the connection that the browser stores, or otherwise the configured one. Refuses: never. */
export function openConnections(storage: Storage, defaults: Connection): Connections {
  return {
    current: () => read(storage) ?? defaults,
    defaults,
    use: (wanted, elsewhere) => {
      const urls = { registryUrl: readUrl(wanted.registryUrl), provisionerUrl: readUrl(wanted.provisionerUrl) };
      const isHere = Object.values(urls).every((url) => isLoopbackHost(new URL(url).hostname));
      if (!isHere && !elsewhere) {
        throw new Error(IDENTITY_TEXTS.notHere);
      }
      storage.setItem(KEPT_AT, JSON.stringify({ ...urls, verificationId: readCode(wanted.verificationId) }));
    },
    reset: () => storage.removeItem(KEPT_AT),
  };
}

function readUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "") {
    return withoutTrailingSlashes(url.href);
  }
  throw new Error(IDENTITY_TEXTS.noAddress(JSON.stringify(text.slice(0, 100))));
}

function readCode(text: string): string {
  const code = text.trim();
  if (code !== "") return code;
  throw new Error(IDENTITY_TEXTS.noCode);
}

function read(storage: Storage): Connection | undefined {
  try {
    const { registryUrl, provisionerUrl, verificationId } = JSON.parse(storage.getItem(KEPT_AT) ?? "{}");
    return {
      registryUrl: readUrl(registryUrl),
      provisionerUrl: readUrl(provisionerUrl),
      verificationId: readCode(verificationId),
    };
  } catch {
    return undefined;
  }
}
