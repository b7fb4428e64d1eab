import { WalletError } from "@dataspace/wallet/wallet-error";
import type { ExchangeTimer } from "../activity/timed-exchanges.ts";
import { FILE_TEXTS } from "./record-texts.ts";

/** A file to download: the address in the vault, with the owner's headers, and the limits of the whole download. */
export interface Download {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * Downloads a file and reports the request. It stops reading at the size limit.
 *
 * Refuses: VAULT_UNAVAILABLE where no whole answer comes in time, and for a status from 500; VAULT_REFUSED for other
 * statuses; UNEXPECTED_ANSWER for a larger file. Source: decision V15.
 */
export async function downloadFile(
  action: ExchangeTimer,
  { url, headers, timeoutMs, maxBytes }: Download,
): Promise<Blob> {
  const report = (status: number, response: string | undefined): void =>
    action.report({ step: "vault", method: "GET", url, request: undefined, status, response });
  let status = 0;
  try {
    const response = await action.fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    status = response.status;
    if (!response.ok) throw refusalOf(status);
    const blob = await readBounded(response, maxBytes);
    report(status, FILE_TEXTS.received(blob.size));
    return blob;
  } catch (error) {
    report(status, undefined);
    if (error instanceof WalletError) throw error;
    throw new WalletError("VAULT_UNAVAILABLE", FILE_TEXTS.noAnswer, { cause: error });
  }
}

function refusalOf(status: number): WalletError {
  const code = status >= 500 || status === 429 ? "VAULT_UNAVAILABLE" : "VAULT_REFUSED";
  return new WalletError(code, FILE_TEXTS.refused(status));
}

async function readBounded(response: Response, maxBytes: number): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    sizeBytes += part.value.byteLength;
    if (sizeBytes > maxBytes) {
      await reader?.cancel();
      throw new WalletError("UNEXPECTED_ANSWER", FILE_TEXTS.tooLarge(maxBytes));
    }
    parts.push(part.value);
  }
  return new Blob(parts);
}
