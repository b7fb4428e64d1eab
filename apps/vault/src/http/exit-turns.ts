import { createConcurrencyLimit, TooBusy, type WaitForTurn } from "@dataspace/service-kit/concurrency-limit";
import type { EName } from "@dataspace/protocol/ename";
import { refusal } from "../errors.ts";
import type { FastifyRequest } from "fastify";

/** The turns of long work of owners who leave or arrive. Each turn lasts until its request is answered or its peer leaves. */
export interface ExitTurns {
  /** Of reading a whole vault: an export, or the comparison of an import. Refuses: BUSY. */
  readonly wholeVault: (request: FastifyRequest, owner: EName) => Promise<void>;
  /** Of changing an import. Refuses: BUSY. */
  readonly importing: (request: FastifyRequest, owner: EName) => Promise<void>;
}

/** Each reads all of a vault, with a connection to the database until its last row. */
const WHOLE_VAULTS = { atOnce: 2, mostWaiting: 8, waitMs: 10_000 };
const IMPORTS = { atOnce: 8, mostWaiting: 64, waitMs: 10_000 };

/** Makes the turns: one at a time for each owner, and few at once. Source: decisions V18, V25. */
export function createExitTurns(): ExitTurns {
  const [wholeVaults, imports] = [createConcurrencyLimit(WHOLE_VAULTS), createConcurrencyLimit(IMPORTS)];
  return {
    wholeVault: (request, owner) => takeTurn(wholeVaults, request, owner),
    importing: (request, owner) => takeTurn(imports, request, owner),
  };
}

async function takeTurn(enter: WaitForTurn, request: FastifyRequest, owner: EName): Promise<void> {
  try {
    request.whenAnswered(await enter({ caller: owner, alone: owner }));
  } catch (error) {
    throw error instanceof TooBusy ? refusal("BUSY", "Other vaults are being moved; try again.") : error;
  }
}

/** Makes a signal that is aborted once a request is answered or its peer has left, with BUSY as its reason. */
export function endOf(request: FastifyRequest): AbortSignal {
  const ended = new AbortController();
  request.whenAnswered(() => ended.abort(refusal("BUSY", "The request ended before its work did; try again.")));
  return ended.signal;
}
