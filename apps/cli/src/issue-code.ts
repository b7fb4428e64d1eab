import { type EName, parseEName } from "@dataspace/protocol/ename";
import { provisionerMigrations } from "@dataspace/provisioner/migrations";
import { issueVerificationCode } from "@dataspace/provisioner/verification-codes";
import { systemClock } from "@dataspace/service-kit/clock";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { vaultMigrations } from "@dataspace/vault/migrations";
import { issueOwnerRecovery } from "@dataspace/vault/recovery";
import type { Database } from "@dataspace/service-kit/postgres/database";

/**
 * Issues a verification code, with which one new vault can be created. Out: the code, shown only now. Source: decision
 * V17.
 */
export async function issueVerification(database: Database): Promise<string> {
  await migrate(database, provisionerMigrations);
  return await issueVerificationCode(database, systemClock);
}

/**
 * Issues a recovery code, with which one owner adds one key within 24 hours. Out: the code, shown only now.
 *
 * Refuses: StartupError 78 for text that is not an eName, and for an eName without a vault here. Source: decision I6.
 */
export async function issueRecovery(database: Database, ename: string): Promise<string> {
  const owner = readEName(ename);
  await migrate(database, vaultMigrations);
  const code = await issueOwnerRecovery({ database, clock: systemClock }, owner);
  if (code === undefined) throw new StartupError(`${owner} has no vault on this storage.`);
  return code;
}

function readEName(text: string): EName {
  try {
    return parseEName(text);
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}
