import { systemClock } from "@dataspace/service-kit/clock";
import type { Outcome } from "../print-outcome.ts";
import { archiveFileOf } from "./archive-actions.ts";
import { type Move, moveVault, undoMove } from "./move-vault.ts";
import { readEName } from "./operator-storage.ts";
import { createOwnerCalls, readWalletKey } from "./owner-calls.ts";

/** The options of `dataspace vault move`. */
export interface MoveOptions {
  readonly to: string;
  readonly walletKey: string;
  readonly registry: string;
  readonly archive?: string;
  readonly code?: string;
  readonly undo?: boolean;
  readonly json?: boolean;
}

/** Moves a vault as its owner, or undoes that. Refuses: as `moveVault`; StartupError 78. Source: decision V18. */
export async function moveOrUndo(ename: string, options: MoveOptions): Promise<Outcome> {
  const owner = readEName(ename);
  const { to, registry: registryUrl, code, json = false } = options;
  const key = await readWalletKey(options.walletKey);
  const file = options.archive ?? archiveFileOf(owner);
  const keepsFile = options.archive !== undefined;
  const move: Move = { owner, to, registryUrl, file, keepsFile, code, json };
  const deps = {
    fetch,
    calls: createOwnerCalls({ fetch, clock: systemClock, key }, owner),
    onStep: (step: string) => console.error(step),
  };
  return options.undo === true ? undoMove(deps, move) : moveVault(deps, move);
}
