import { randomUUID } from "node:crypto";
import type { EName } from "@dataspace/protocol/ename";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { refusal } from "../errors.ts";
import {
  deleteOutbox,
  findStandingVault,
  holdBackWrites,
  lockStandingVault,
  type StandingVault,
  setVaultState,
} from "../store/vault-state-rows.ts";

/** What a move needs. `findAddress` asks the registry for the address of an eName's vault, without a cache. */
export interface MoveDeps {
  readonly database: Database;
  readonly findAddress: (ename: EName) => Promise<string | undefined>;
}

/** A step of a move: whose vault, and what else belongs to its transaction, such as spending the token. */
export interface MoveStep {
  readonly owner: EName;
  readonly within: (transaction: Queryable) => Promise<void>;
}

/** Where a vault stands, as its owner sees it. */
export type Standing = Pick<StandingVault, "state" | "movedTo" | "moveId">;

/**
 * Begins a move: waits for the writes that are under way, and makes the vault read-only. Repeating it changes nothing.
 *
 * Refuses: MOVE_CONFLICT where it moves to another place or has moved. Source: decision V18.
 */
export async function beginMove({ database }: MoveDeps, step: MoveStep, to: string): Promise<Standing> {
  return change(database, step, async (transaction, vault) => {
    if (vault.state === "moving" && vault.movedTo === to) return vault;
    if (vault.state !== "active") throw conflict(vault, "Only an active vault begins to move.");
    await holdBackWrites(transaction, step.owner);
    return { state: "moving", movedTo: to, moveId: randomUUID() };
  });
}

/**
 * Ends a move once the registry names the new place: the vault answers here with that place. Its waiting events have
 * moved with it. Repeating it changes nothing.
 *
 * Refuses: MOVE_CONFLICT; REGISTRY_UNAVAILABLE. Source: decision V18.
 */
export async function finishMove({ database, findAddress }: MoveDeps, step: MoveStep): Promise<Standing> {
  const address = await findAddress(step.owner);
  return change(database, step, async (transaction, vault) => {
    if (vault.state === "moved") return vault;
    if (vault.state !== "moving") throw conflict(vault, "Begin the move first.");
    if (address !== vault.movedTo) throw conflict(vault, `The registry names ${address ?? "no vault"}.`);
    await deleteOutbox(transaction, step.owner);
    return { ...vault, state: "moved" };
  });
}

/**
 * Undoes a move that the registry does not know of: the vault takes writes again. Repeating it changes nothing.
 *
 * Refuses: MOVE_CONFLICT; REGISTRY_UNAVAILABLE. Source: decision V18.
 */
export async function cancelMove({ database, findAddress }: MoveDeps, step: MoveStep): Promise<Standing> {
  const address = await findAddress(step.owner);
  return change(database, step, async (_transaction, vault) => {
    if (vault.state === "active") return vault;
    if (vault.state !== "moving") throw conflict(vault, "Only a vault that moves can stay.");
    if (address === vault.movedTo) throw conflict(vault, "The registry names the new place already; finish the move.");
    return { state: "active", movedTo: null, moveId: null };
  });
}

/** Finds where a vault stands. Refuses: UNKNOWN_ENAME. */
export async function readStanding(database: Queryable, owner: EName): Promise<Standing> {
  const vault = await findStandingVault(database, owner);
  if (vault === undefined) throw unknown(owner);
  return vault;
}

async function change(
  database: Database,
  { owner, within }: MoveStep,
  decide: (transaction: Queryable, vault: StandingVault) => Promise<Standing>,
): Promise<Standing> {
  return database.transaction(async (transaction) => {
    const vault = await lockStandingVault(transaction, owner);
    if (vault === undefined) throw unknown(owner);
    const { state, movedTo, moveId } = await decide(transaction, vault);
    await within(transaction);
    if (state !== vault.state) await setVaultState(transaction, owner, { state, movedTo, moveId });
    return { state, movedTo, moveId };
  });
}

/** The refusal of a step that does not fit a vault's state. */
export function conflict({ owner, state }: Pick<StandingVault, "owner" | "state">, what: string): Error {
  return refusal("MOVE_CONFLICT", `The vault of ${owner} is ${state}. ${what}`);
}

function unknown(owner: EName): Error {
  return refusal("UNKNOWN_ENAME", `${owner} has no vault here; resolve it at the registry.`, "X-ENAME");
}
