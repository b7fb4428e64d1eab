import { createOneTimeCode, hashOneTimeCode, ONE_TIME_CODE_LIFETIME_MS } from "@dataspace/service-kit/one-time-code";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { deleteExpiredImportCodes, insertImportCode, spendImportCode } from "../store/import-rows.ts";

interface CodeDeps {
  readonly database: Queryable;
  readonly clock: Clock;
}

const PREFIX = "dsi_";

/** Issues the code with which one owner's vault is imported over HTTP, once, within 24 hours. Out: shown only now. */
export async function issueImportCode({ database, clock }: CodeDeps, owner: EName): Promise<string> {
  const { code, codeHash } = createOneTimeCode(PREFIX);
  const expiresAt = new Date(clock.nowMs() + ONE_TIME_CODE_LIFETIME_MS).toISOString();
  await insertImportCode(database, { owner, codeHash, expiresAt });
  return code;
}

/** Spends a code within the transaction that begins the import. Out: whether it was good. */
export async function isAdmitted(
  transaction: Queryable,
  { owner, code, at }: { readonly owner: EName; readonly code: string | undefined; readonly at: string },
): Promise<boolean> {
  return code !== undefined && (await spendImportCode(transaction, { owner, codeHash: hashOneTimeCode(code), at }));
}

/** Deletes codes that have expired. Out: how many. */
export function sweepImportCodes({ database, clock }: CodeDeps): Promise<number> {
  return deleteExpiredImportCodes(database, new Date(clock.nowMs()).toISOString());
}
