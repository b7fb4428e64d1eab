import { fetchJson } from "@dataspace/clients/timed-fetch";
import { button, element, find } from "@dataspace/ui/dom/element";
import type { PrivateJwk } from "@dataspace/wallet/wallet-key";
import type { Activity } from "../activity/activity.ts";
import { focusHeading } from "../focus.ts";
import { onPress, runAct } from "../run-act.ts";
import type { Wallet } from "../wallet.ts";
import { type Identity, toIdentity } from "./identities.ts";
import { DEMO_TEXTS } from "./identity-texts.ts";
import { shownName } from "./shown-name.ts";

/** A person of the development stack, with the key of the person's wallet. */
interface DemoPerson {
  readonly identity: Identity;
  readonly key: PrivateJwk;
}

interface DemoDeps {
  readonly wallet: Wallet;
  readonly activity: Activity;
}

/**
 * Offers to act as one of the development stack's people, where the server has any. A link to `/?as=<eName>` acts as
 * that person at once. Refuses: never. Source: decision P5.
 */
export function openDemoPeople(deps: DemoDeps): void {
  const { demoPeople } = find("sandbox", HTMLElement).dataset;
  const wanted = takeWanted();
  if (demoPeople === undefined) return;
  void showPeople(deps, demoPeople, wanted);
}

// The link acts once: loading the page again keeps what was chosen since.
function takeWanted(): string | null {
  const address = new URL(location.href);
  const wanted = address.searchParams.get("as");
  if (wanted === null) return null;
  address.searchParams.delete("as");
  history.replaceState(null, "", address);
  return wanted;
}

async function showPeople(deps: DemoDeps, address: string, wanted: string | null): Promise<void> {
  const place = find("demo-people", HTMLElement);
  const people = await readPeople(address);
  if (people.length === 0) return;
  const output = element("div", { "aria-live": "polite" });
  const buttons = people.map((person) => {
    const pressed = button(shownName(person.identity), "quiet small");
    const doing = DEMO_TEXTS.doing(shownName(person.identity));
    onPress(pressed, { output, activity: deps.activity, doing }, () => openAs(deps.wallet, person));
    return pressed;
  });
  const lead = element("p", { class: "muted small" }, DEMO_TEXTS.lead);
  place.replaceChildren(lead, element("div", { class: "row" }, ...buttons), output);
  const chosen = people.find(({ identity }) => identity.ename === wanted);
  if (chosen === undefined) return;
  const act = { output, activity: deps.activity, doing: DEMO_TEXTS.doing(shownName(chosen.identity)) };
  const run = (): void => void runAct(act, () => openAs(deps.wallet, chosen), run);
  run();
  focusHeading(place);
}

async function openAs(wallet: Wallet, { identity, key }: DemoPerson): Promise<string> {
  await wallet.keys.put(identity.keyId, key);
  wallet.identities.put(identity);
  return DEMO_TEXTS.done(shownName(identity));
}

// Without an answer nothing is offered: a person can still be provisioned.
async function readPeople(address: string): Promise<readonly DemoPerson[]> {
  const url = new URL(address, location.href).href;
  const answer = await fetchJson((at, init) => fetch(at, init), { url }).catch(() => undefined);
  return Array.isArray(answer) ? answer.flatMap(toPerson) : [];
}

function toPerson(value: unknown): readonly DemoPerson[] {
  const { privateKey, ename } = (value ?? {}) as { readonly privateKey?: PrivateJwk; readonly ename?: unknown };
  const identity = toIdentity({ ...(value as object), keyId: `demo-${String(ename)}` });
  return identity === undefined || privateKey === undefined ? [] : [{ identity, key: privateKey }];
}
