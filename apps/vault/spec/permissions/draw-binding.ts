import { bindingDocumentText, parseBindingDocument } from "@dataspace/protocol/binding-document";
import { signText } from "@dataspace/wallet/sign-text";
import type { Act, SentDocument } from "./act.ts";
import type { Dice } from "./dice.ts";
import type { Caller, Party, StoredRecord, World } from "./world.ts";

interface Place {
  readonly party: Party;
  readonly caller: Caller;
}

/** Draws a binding document: a new one, or one that this vault had and removed, sent again as it was. */
export async function drawBinding(dice: Dice, world: World, { party, caller }: Place): Promise<Act> {
  const removed = [...party.records.values()].filter((record) => record.removed && record.binding !== undefined);
  if (removed.length > 0 && dice.once(2)) return resend(dice.pick(removed));
  const keyed = [...world.parties.values()].filter(({ keys }) => keys.length > 0);
  const sender = keyed.find(({ ename }) => ename === caller.ename) ?? dice.pick(keyed);
  const other = dice.once(4) ? dice.pick(keyed) : sender;
  const opens = dice.once(2) && other !== party;
  const signer = opens ? other : dice.once(6) || party.keys.length === 0 ? dice.pick(keyed) : party;
  const parties = [opens ? signer : other === party ? dice.pick(keyed.filter((one) => one !== party)) : other, party];
  const data = {
    kind: "social_connection",
    name: "Bob",
    parties: parties.map(({ ename }) => ename),
    relation_description: "friends",
  };
  const said =
    opens || dice.once(2)
      ? { subject: party.ename, type: "social_connection" as const, data }
      : {
          subject: dice.once(3) ? dice.pick(keyed).ename : party.ename,
          type: "self" as const,
          data: { kind: "self", name: dice.pick(["Ada", "Bea"]) },
        };
  const isGenuine = !dice.once(8);
  const signature = await sign(
    isGenuine ? signer : world.byName.eve === signer ? world.byName.ann : world.byName.eve,
    said,
  );
  return {
    do: "bind",
    input: { ...said, ownerSignature: { signer: signer.ename, signature, timestamp: TIME } },
    isGenuine,
  };
}

const TIME = "2026-02-03T04:05:06.789Z";

function resend({ binding }: StoredRecord): Act {
  const [subject, type, data, signature] = JSON.parse(binding?.sent as string);
  const signer = binding?.signers[0] as string;
  return {
    do: "bind",
    input: { subject, type, data, ownerSignature: { signer, signature, timestamp: TIME } },
    isGenuine: true,
  };
}

/** Draws a signature under a binding document, mostly the caller's own. */
export async function drawSignature(
  dice: Dice,
  world: World,
  { caller, party, record }: Place & { readonly record: StoredRecord },
): Promise<Act> {
  const keyed = [...world.parties.values()].filter(({ keys }) => keys.length > 0);
  const own = keyed.find(({ ename }) => ename === caller.ename) ?? (party.keys.length > 0 ? party : world.byName.ann);
  const signer = dice.once(4) ? dice.pick(keyed) : own;
  const isGenuine = !dice.once(8);
  const [subject, type, data] = JSON.parse(record.binding?.sent as string);
  const signature = await sign(isGenuine ? signer : world.byName.eve === signer ? world.byName.ann : world.byName.eve, {
    subject,
    type,
    data,
  });
  return { do: "sign", id: record.id, signature: { signer: signer.ename, signature, timestamp: TIME }, isGenuine };
}

function sign({ keys }: Party, said: Omit<SentDocument, "ownerSignature">): Promise<string> {
  const text = bindingDocumentText(parseBindingDocument(said));
  return signText({ ...(keys[0] as (typeof keys)[number]), encoding: "base64" }, text);
}
