import type { StateDatabase } from "../state/state-database.ts";
import type { OwnerVault, Vaults } from "./vaults.ts";

/** A name in the whole process: the command and the platform's module may have loaded this file from two places. */
const INSPECTION = Symbol.for("dataspace.adapter.inspection");

/** A command that only reads tried to write. */
class InspectionWrites extends Error {
  readonly code = "INSPECTION_WRITES";
}

/**
 * Makes every adapter that this process creates from now on a reader: it makes no tables, sends nothing and applies nothing. For
 * commands that import a platform's module to look at it.
 *
 * Refuses: never.
 */
export function beginInspection(): void {
  Object.assign(globalThis, { [INSPECTION]: true });
}

/** Whether adapters of this process only read. Refuses: never. */
export function isInspection(): boolean {
  return Object.hasOwn(globalThis, INSPECTION);
}

/**
 * Gives a state that is only read. Where the adapter's tables are not made yet, they are empty.
 *
 * Refuses: its statements reject with INSPECTION_WRITES for anything but a select.
 */
export function toReadOnlyState<Transaction>(database: StateDatabase<Transaction>): StateDatabase<Transaction> {
  const refuse = (): never => {
    throw new InspectionWrites("A command that only reads writes nothing to the platform's database.");
  };
  return {
    dialect: database.dialect,
    query: async <Row>(statement: Parameters<typeof database.query>[0]) => {
      if (!statement.text.startsWith("select ")) return refuse();
      try {
        return await database.query<Row>(statement);
      } catch (error) {
        if (isMissingTable(error)) return [];
        throw error;
      }
    },
    inTransaction: async () => refuse(),
  };
}

/** Gives vaults that are only read. Refuses: their writes reject with INSPECTION_WRITES. */
export function toReadOnlyVaults(vaults: Vaults): Vaults {
  const refuse = async (): Promise<never> => {
    throw new InspectionWrites("A command that only reads writes nothing to a vault.");
  };
  return {
    vault: (owner) => {
      const { get, list }: OwnerVault = vaults.vault(owner);
      return {
        ...{ get, list, create: refuse, update: refuse, remove: refuse, uploadFile: refuse },
        createMany: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
      };
    },
  };
}

function isMissingTable(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return (code === "42P01" || String(message).startsWith("no such table")) && String(message).includes("ds_");
}
