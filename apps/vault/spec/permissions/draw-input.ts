import { type SignedReadingStatement, signedReadingText } from "@dataspace/protocol/signed-reading";
import { signText } from "@dataspace/wallet/sign-text";
import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { Input } from "./act.ts";
import type { Dice } from "./dice.ts";
import { readingText } from "./oracle-conditions.ts";
import {
  type Condition,
  FILE,
  MANIFESTS,
  type Party,
  type Payload,
  type Policy,
  READING,
  type World,
} from "./world.ts";

const HOUR_MS = 3_600_000;
const WORDS = ["apple", "pear", "plum", "apple pie"];

/** Draws what a create or an update sends for a vault, with an access array and a policy or without. */
export async function drawInput(dice: Dice, world: World, party: Party): Promise<Input> {
  const kind = dice.below(10);
  const content: Omit<Input, "acl" | "_acl"> =
    kind < 4
      ? { ontology: "note", payload: { title: dice.pick(WORDS), body: dice.pick(WORDS) } }
      : kind < 8
        ? { ontology: dice.pick([...MANIFESTS, MANIFESTS[0] as string]), payload: drawManifest(dice, world, party) }
        : kind < 9
          ? { ontology: READING, payload: await drawReading(dice, world, party) }
          : { ontology: FILE, payload: { blobKey: "stolen", filename: "forged", title: dice.pick(WORDS) } };
  return { ...content, ...drawAccess(dice, world) };
}

/** Draws an array, a policy, both or neither. */
export function drawAccess(dice: Dice, world: World): Pick<Input, "acl" | "_acl"> {
  return {
    ...(dice.once(2) ? { acl: drawArray(dice, world) } : {}),
    ...(dice.once(2) ? { _acl: drawPolicy(dice, world) } : {}),
  };
}

/** Draws an access array. */
export function drawArray(dice: Dice, world: World): readonly string[] {
  const names = [...world.parties.values()].map(({ ename }) => ename);
  return [...(dice.once(3) ? ["*"] : []), ...dice.some(names, 5)];
}

/** Draws a policy that names people, platforms and groups of all kinds. */
export function drawPolicy(dice: Dice, world: World): Policy {
  const names = [...world.parties.values()].map(({ ename }) => ename);
  const granted = dice.some(names, 4);
  const groups = ["guild", "board", "crew", "club"].map((name) => world.byName[name as "guild"].ename);
  return {
    v: 1,
    grants: [...new Set([...granted, ...dice.some(groups, 3)])].map((ename) => ({ ename, perms: 1 + dice.below(15) })),
    denials: {
      enames: dice.once(3) ? [...new Set([...dice.some(names, 8), dice.pick(groups)])] : [],
      conditions: dice.once(8) ? [drawCondition(dice, world)] : [],
    },
    default_perms: dice.pick([0, 1, 1, 5, 15]),
    require: dice.once(2) ? [] : [dice.once(2) ? [] : [drawCondition(dice, world)]],
  } as Policy;
}

function drawCondition(dice: Dice, { byName }: World): Condition {
  return { ontology: READING, path: "$.score", op: ">=", value: dice.pick([10, 50]), issuer: byName.forge.ename };
}

/** Draws a manifest: of the vault it lies in, or of another group. */
function drawManifest(dice: Dice, world: World, party: Party): Payload {
  const names = [...world.parties.values()].map(({ ename }) => ename);
  const group = dice.once(3) ? dice.pick(names) : party.ename;
  const member = dice.pick(["eName", "ename"]);
  const spelled = dice.once(5) ? ` ${group.slice(1).toUpperCase()}` : group;
  const list = dice.pick(["members", "memberIds", "participants", "participantIds", "admins"]);
  return {
    [member]: spelled,
    ...(dice.once(6) ? { [member === "eName" ? "ename" : "eName"]: dice.pick(names) } : {}),
    [list]: [...dice.some(names, 3)],
    ...(dice.once(3) ? { owner: dice.pick(names) } : {}),
  };
}

/** Draws a signed reading: mostly of the vault's own party, by the platform that conditions trust or by somebody else. */
async function drawReading(dice: Dice, world: World, party: Party): Promise<Payload> {
  const subject = dice.once(5) ? world.byName.eve.ename : party.ename;
  const statement: SignedReadingStatement = {
    type: "ds.signed-reading",
    schemaVersion: 1,
    subject,
    ontology: READING,
    data: { score: dice.pick([5, 30, 80]) },
    issuedAt: new Date(Date.now() - HOUR_MS).toISOString(),
    expiresAt: new Date(Date.now() + (dice.once(6) ? -1 : 1) * HOUR_MS).toISOString(),
  };
  const signedBy = dice.once(3) ? world.byName.eve : world.byName.forge;
  const signer = dice.once(3) ? world.byName.forge : signedBy;
  const signature = await signText(signedBy.keys[0] as never, await signedReadingText(statement));
  const payload = { statement: statement as unknown as JsonValue, signature, signer: signer.ename };
  if (signer === signedBy) world.genuine.add(readingText(payload));
  return payload;
}

/** Draws a patch that may turn a record into a manifest, change whom it lists, or leave it as it is. */
export function drawPatch(dice: Dice, world: World, party: Party): Payload {
  const names = [...world.parties.values()].map(({ ename }) => ename);
  return dice.pick<() => Payload>([
    () => ({ title: dice.pick(WORDS) }),
    () => ({}),
    () => ({ members: [...dice.some(names, 3)] }),
    () => ({ admins: [dice.pick(names)], title: dice.pick(WORDS) }),
    () => ({ owner: dice.pick(names) }),
    () => ({ eName: dice.once(2) ? party.ename : dice.pick(names) }),
    () => drawManifest(dice, world, party),
  ])();
}

/** Draws a value for one field of a record. */
export function drawValue(dice: Dice, world: World, field: string): JsonValue {
  const names = [...world.parties.values()].map(({ ename }) => ename);
  if (field === "owner" || field.toLowerCase() === "ename") return dice.pick(names);
  if (["title", "body", "filename", "blobKey"].includes(field)) return dice.pick(WORDS);
  return [...dice.some(names, 3)];
}
