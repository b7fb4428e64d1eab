import { fetchJson, type TimedRequest } from "@dataspace/clients/timed-fetch";
import { askParty } from "@dataspace/wallet/ask-party";
import { createReportingFetch } from "@dataspace/wallet/exchange";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { WalletError } from "@dataspace/wallet/wallet-error";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import type { Action } from "../activity/activity.ts";
import type { Identity } from "../identity/identities.ts";
import { downloadFile } from "./download-file.ts";
import { VAULT_TEXTS } from "./vault-texts.ts";

/**
 * The vault of an identity, as its owner calls it during one action.
 *
 * Each function refuses: WalletError VAULT_UNAVAILABLE and VAULT_REFUSED, with the vault's own code and message.
 */
export interface VaultConnection {
  readonly ename: EName;
  /** Runs a GraphQL operation. Out: its root fields by name. */
  readonly ask: (query: string, variables: object) => Promise<Readonly<Record<string, Answer>>>;
  /** Out: the JSON of a resource, such as `/platform-access?limit=20`. */
  readonly get: (path: string) => Promise<unknown>;
  /** Out: the bytes of a file's record, of at most `maxBytes`. */
  readonly download: (recordId: string, maxBytes: number) => Promise<Blob>;
}

/** The parts of an operation's answer; each operation has some of them. */
export interface Answer {
  readonly metaEnvelope?: unknown;
  readonly metaEnvelopeId?: string;
  readonly version?: number;
  readonly edges?: readonly { readonly node: unknown }[];
  readonly pageInfo?: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount?: number;
  readonly errors?: readonly Fault[] | null;
}

interface Fault {
  readonly message: string;
  readonly code?: string | null;
  readonly extensions?: { readonly code?: string };
}

// A page of records, each of at most 1 MiB, or a file in base64.
const MAX_BYTES = 33_554_432;
const TIMEOUT_MS = 15_000;

/**
 * Opens the vault of an identity: each request carries a new token, signed by its key. Source: S1 "GraphQL API";
 * decision I4.
 */
export function openVault(
  { action, key }: { readonly action: Pick<Action, "fetch" | "report">; readonly key: WalletKey },
  { ename, vaultUrl }: Pick<Identity, "ename" | "vaultUrl">,
): VaultConnection {
  const clock = { nowMs: () => Date.now() };
  const reporting = createReportingFetch(action)("vault");
  const credentials = async (): Promise<Readonly<Record<string, string>>> => {
    const token = await issueWalletToken({ key, clock }, { ename, audience: ename });
    return { "x-ename": ename, authorization: `Bearer ${token}` };
  };
  const send = async (request: Pick<TimedRequest, "method" | "body">, path: string): Promise<unknown> => {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    const whole = { ...request, ...limits, url: `${vaultUrl}${path}`, headers: await credentials() };
    return askParty("VAULT", () => fetchJson(reporting, whole));
  };
  return {
    ename,
    ask: async (query, variables) => {
      const body = { query, variables };
      return readAnswer(((await send({ method: "POST", body }, "/graphql")) ?? {}) as RawAnswer);
    },
    get: (path) => send({ method: "GET" }, path),
    download: async (recordId, maxBytes) => {
      const url = `${vaultUrl}/files/${encodeURIComponent(recordId)}`;
      return downloadFile(action, { url, headers: await credentials(), timeoutMs: TIMEOUT_MS, maxBytes });
    },
  };
}

interface RawAnswer {
  readonly data?: Readonly<Record<string, Answer | null>> | null;
  readonly errors?: readonly Fault[];
}

function readAnswer({ data, errors }: RawAnswer): Readonly<Record<string, Answer>> {
  const entries = Object.entries(data ?? {}).filter((entry): entry is [string, Answer] => entry[1] !== null);
  const fault = errors?.[0] ?? entries.flatMap(([, answer]) => answer.errors ?? [])[0];
  if (fault !== undefined) {
    const refusal = fault.code ?? fault.extensions?.code;
    throw new WalletError("VAULT_REFUSED", VAULT_TEXTS.refused(fault.message), { refusal: refusal ?? undefined });
  }
  if (data !== undefined && data !== null) return Object.fromEntries(entries);
  throw new WalletError("UNEXPECTED_ANSWER", VAULT_TEXTS.noData);
}
