import type { Answered, Outcome } from "./answers.ts";
import type { Asker, Expected, Operation } from "./operation.ts";
import { oracleHistory, oracleList, oracleListAll, oracleLogs, oracleRead } from "./oracle-reads.ts";
import type { OracleState } from "./oracle-state.ts";
import {
  oracleBulk,
  oracleCreate,
  oracleRemove,
  oracleRollback,
  oracleUpdate,
  oracleUpdateValue,
} from "./oracle-writes.ts";

/** One operation that was answered, to be asked of the oracle too; of the answer only the ids it gave to new records are used. */
export interface Consultation {
  readonly owner: string;
  readonly state: OracleState;
  readonly asker: Asker;
  readonly operation: Operation;
  readonly tokenSpent: boolean;
  readonly unpagedCap: number;
  readonly outcome: Outcome;
}

/** What the oracle says; it changes what the owner has as the operation does. */
export function consult({ owner, state, asker, operation, tokenSpent, unpagedCap, outcome }: Consultation): Expected {
  const read = { owner, state, asker, unpagedCap };
  const write = { owner, state, asker, tokenSpent, newIds: newIdsOf(outcome.data) };
  switch (operation.do) {
    case "create":
    case "store":
      return oracleCreate(write, operation);
    case "update":
    case "updateById":
      return oracleUpdate(write, operation);
    case "remove":
    case "deleteById":
      return oracleRemove(write, operation);
    case "rollback":
      return oracleRollback(write, operation);
    case "bulk":
      return oracleBulk(write, operation);
    case "updateValue":
      return oracleUpdateValue(write, operation);
    case "read":
    case "getById":
      return oracleRead(read, operation);
    case "list":
      return oracleList(read, operation);
    case "find":
    case "search":
    case "all":
      return oracleListAll(read, operation);
    case "history":
      return oracleHistory(read, operation);
    case "logs":
      return oracleLogs(read, operation);
  }
}

function newIdsOf(data: Answered): readonly string[] {
  if (data?.results !== undefined) return data.results.map(({ id }: { id: string }) => id);
  return data?.metaEnvelope == null ? [] : [data.metaEnvelope.id];
}
