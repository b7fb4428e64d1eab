import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import type { Act, Filter, Input, Request, ServerName } from "./act.ts";
import { createDice, type Dice } from "./dice.ts";
import { drawBinding, drawSignature } from "./draw-binding.ts";
import { drawAccess, drawArray, drawInput, drawPatch, drawPolicy, drawValue } from "./draw-input.ts";
import {
  BINDING,
  type Caller,
  FILE,
  isOwner,
  MANIFESTS,
  type Party,
  READING,
  type StoredRecord,
  type World,
} from "./world.ts";

const LEGACY = "https://platform.example";
/** A vault with so many records gets no more by the owner's own hand. */
const ENOUGH = 8;

/** Draws one request from a seed and the world as it is. */
export async function drawRequest(world: World, seed: number): Promise<Request> {
  const dice = createDice(seed);
  const party = dice.pick([...world.parties.values()].filter(({ hasVault }) => hasVault));
  const server = dice.pick<ServerName>([
    "quarantine",
    "quarantine",
    "quarantine",
    "allow",
    "allow",
    "deny",
    "header",
    "readOnly",
  ]);
  const caller = drawCaller(dice, world, { party, server });
  return { party, caller, server, act: await drawAct(dice, world, { party, caller }) };
}

function drawCaller(dice: Dice, world: World, at: { readonly party: Party; readonly server: ServerName }): Caller {
  const names = [...world.parties.values()].map(({ ename }) => ename);
  const behalf = dice.once(7) ? dice.pick(names) : null;
  const none = { ename: null, platform: null, behalf, writes: false, bearer: true };
  const people = [...world.parties.values()].filter(({ keys }) => keys.length > 0);
  const owner = at.party.keys.length > 0 ? at.party : world.byName.eve;
  const kind = dice.below(12);
  if (at.server === "header" && kind < 4 && at.party.keys.length > 0)
    return { ...none, kind: "person", ename: at.party.ename, bearer: false };
  if (kind < 4) return { ...none, kind: "person", ename: owner.ename };
  if (kind < 8) return { ...none, kind: "person", ename: dice.pick(people).ename };
  const legacy = { ...none, kind: "legacy", writes: at.server !== "readOnly" } as const;
  if (kind < 10) return { ...legacy, platform: LEGACY };
  if (kind < 11) return { ...legacy, platform: world.byName.forge.ename };
  // Without a credential the header mode knows the owner, of a vault that has one.
  if (at.server === "header") return { ...none, kind: "person", ename: owner.ename };
  return { ...none, kind: "anonymous", bearer: false };
}

interface Place {
  readonly party: Party;
  readonly caller: Caller;
}

async function drawAct(dice: Dice, world: World, { party, caller }: Place): Promise<Act> {
  const records = [...party.records.values()];
  if (records.length < 2 || (records.length < ENOUGH && isOwner(party, caller) && dice.once(3))) {
    return drawCreation(dice, world, { party, caller });
  }
  const record = dice.pick(dice.once(2) ? records.slice(-4) : records);
  const { id } = record;
  const update = async (): Promise<Input> => drawUpdate(dice, world, { party, record });
  const field = dice.pick([...Object.keys(record.payload), "members", "nowhere"]);
  const draws: readonly (readonly [number, () => Promise<Act> | Act])[] = [
    [3, () => drawCreation(dice, world, { party, caller })],
    [6, async () => ({ do: dice.pick(["update", "update", "updateById"]), id, input: await update() })],
    [2, () => ({ do: dice.pick(["remove", "deleteById"]), id })],
    [3, () => ({ do: "rollback", id, version: 1 + dice.below(record.versions.length + 1) })],
    [3, () => ({ do: "updateValue", id, field, newValue: drawValue(dice, world, field) })],
    [2, () => ({ do: dice.pick(["read", "getById"]), id })],
    [2, () => ({ do: "list", size: 100, filter: drawFilter(dice) })],
    [1, () => ({ do: "find", ontology: dice.pick(["note", ...MANIFESTS]) })],
    [1, () => ({ do: "search", ontology: dice.pick(["note", ...MANIFESTS]), term: dice.pick(["apple", party.ename]) })],
    [1, () => ({ do: "all" })],
    [2, () => ({ do: "history", id, size: 100 })],
    [1, () => ({ do: "logs", size: 100 })],
    [1, () => ({ do: "file", id: dice.pick([...files(party), record]).id })],
    [2, () => drawSigning(dice, world, { party, caller })],
    [1, () => ({ do: "bindings" })],
    [1, () => drawKeyChange(dice, party)],
  ];
  const all = draws.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw));
  return dice.pick(all)();
}

const files = (party: Party) => [...party.records.values()].filter(({ content }) => content !== undefined);

async function drawCreation(dice: Dice, world: World, { party, caller }: Place): Promise<Act> {
  const isMaker = isOwner(party, caller) || caller.kind === "legacy";
  const how = dice.pick(
    isMaker
      ? ["create", "create", "create", "bulk", "store", "upload", "bind"]
      : ["store", "store", "create", "bulk", "bind"],
  );
  const input = await drawInput(dice, world, party);
  // A stranger's policy is refused whatever it says, so few draws are spent on it.
  const { _acl, ...open } = input;
  const given = isOwner(party, caller) || _acl === undefined || dice.once(4) ? input : open;
  if (how === "create" || how === "store") return { do: how, input: given };
  if (how === "upload") return { do: "upload", input: drawAccess(dice, world), content: `bytes ${dice.below(1_000)}` };
  if (how === "bind") return drawBinding(dice, world, { party, caller });
  const id = dice.once(2) ? `preset-${dice.below(4)}` : undefined;
  return { do: "bulk", inputs: [{ ...given, ...(id === undefined ? {} : { id }) }], skipWebhooks: dice.once(2) };
}

function drawUpdate(
  dice: Dice,
  world: World,
  { party, record }: { readonly party: Party; readonly record: StoredRecord },
): Input {
  const ontology = dice.once(4) ? dice.pick([MANIFESTS[0] as string, "note", READING]) : record.ontology;
  const isBinding = record.ontology === BINDING || record.ontology === FILE;
  const payload = isBinding ? { title: "apple" } : drawPatch(dice, world, party);
  if (dice.once(6)) return { ontology, payload: dice.once(2) ? {} : payload, _acl: drawPolicy(dice, world) };
  if (dice.once(10)) return { ontology, payload, _acl: null, acl: drawArray(dice, world) };
  if (dice.once(8) && record.policy !== null) return { ontology, payload, _acl: record.policy };
  return { ontology, payload, ...(dice.once(4) ? { acl: drawArray(dice, world) } : {}) };
}

function drawFilter(dice: Dice): Filter {
  return {
    ...(dice.once(3) ? { ontologyId: dice.pick(["note", ...MANIFESTS, BINDING]) } : {}),
    ...(dice.once(2) ? { search: { term: dice.pick(["apple", "pear", "@"]) } } : {}),
  };
}

async function drawSigning(dice: Dice, world: World, place: Place): Promise<Act> {
  const documents = [...place.party.records.values()].filter(({ binding }) => binding !== undefined);
  if (documents.length === 0) return drawBinding(dice, world, place);
  return drawSignature(dice, world, { ...place, record: dice.pick(documents) });
}

/** A first key by the service token, which only a vault without a key takes; else keys by their owner or by somebody else. */
async function drawKeyChange(dice: Dice, party: Party): Promise<Act> {
  const isKeyless = party.keys.length === 0;
  const added: WalletKey = await createWalletKey();
  const removes = !isKeyless && dice.once(2);
  // Each first key stays: readings and signatures of the run are made with it.
  const key = removes ? (party.keys.slice(1)[0] ?? added) : added;
  return { do: removes ? "removeKey" : "addKey", key, asService: !removes && dice.once(2) };
}

/** A fresh seed for each step of a run. */
export function stepSeeds(seed: number, count: number): readonly number[] {
  const dice = createDice(seed);
  return Array.from({ length: count }, () => dice.below(2 ** 31));
}
