import type { EName } from "@dataspace/protocol/ename";
import { type CallOptions, type Calls, readJson } from "./calls.ts";
import { eachNode, type PageOptions } from "./each-node.ts";

/** Whose vault it is and which keys are certified for its owner. */
export interface Whois {
  readonly dsid: EName;
  readonly vaultId?: string | null;
  /** JWTs of the registry, not verified here. */
  readonly keyBindingCertificates: readonly string[];
}

/** One write in the owner's log. Source: S1 "Log entry". */
export interface LogEntry {
  readonly id: string;
  readonly eName: string;
  readonly metaEnvelopeId: string;
  /** SHA-256, hex. */
  readonly envelopeHash: string;
  /** `create`, `update`, `delete` or `update_envelope_value`. */
  readonly operation: string;
  readonly platform: string | null;
  readonly author: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly timestamp: string;
  readonly ontology: string;
}

/** The calls on the vault itself. Each rejects with a VaultError. */
export interface OwnerCalls {
  /** Reads whose vault it is. Refuses: also INVALID_ANSWER when it is somebody else's. Source: S1 "GET /whois". */
  readonly whois: (options?: CallOptions) => Promise<Whois>;
  /** Lists the writes, newest first. Source: S1 "GET /logs". */
  readonly logs: (options?: CallOptions & Pick<PageOptions, "pageSize">) => AsyncGenerator<LogEntry, void, undefined>;
}

interface LogPage {
  readonly logs: readonly LogEntry[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

const readLogPage = readJson<LogPage>(({ logs }) => Array.isArray(logs));

/** Makes the calls on one owner's vault itself. Refuses: as `OwnerCalls`. */
export function createOwnerCalls({ get }: Calls, owner: EName): OwnerCalls {
  const isWhois = ({ dsid, keyBindingCertificates }: Readonly<Record<string, unknown>>) =>
    dsid === owner && Array.isArray(keyBindingCertificates);
  return {
    whois: (options) => get("/whois", options, readJson<Whois>(isWhois)),
    logs: ({ pageSize, ...options } = {}) =>
      eachNode(
        async (page) => {
          const [limit, cursor] = "first" in page ? [page.first, page.after] : [page.last, page.before];
          const query = new URLSearchParams({ limit: String(limit), ...(cursor === undefined ? {} : { cursor }) });
          const { logs, nextCursor, hasMore } = await get(`/logs?${query}`, options, readLogPage);
          return {
            edges: logs.map((node) => ({ node })),
            pageInfo: { hasNextPage: hasMore, hasPreviousPage: false, startCursor: null, endCursor: nextCursor },
          };
        },
        { pageSize },
      ),
  };
}
