import { button } from "@dataspace/ui/button";
import { copyableIdentifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { field } from "@dataspace/ui/field";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { ApprovedPlatform } from "../consumers/platforms.ts";
import { type Fault, formFault, hasFault } from "./fault-page.ts";
import { confirmedAction, type PortalPage, tokenField } from "./frame.ts";
import type { Visit } from "./visits.ts";

const WORDS = {
  title: "Platforms",
  lead: "An approved platform receives the events of every record with a legacy access list, except its own writes. Other records go only to readers that their policy admits.",
  caption: "Approved platforms",
  ename: "eName",
  writesAs: "Writes as",
  action: "Action",
  enameLabel: "eName of the platform",
  enameHint: "@ and a UUID.",
  enameFault: "Enter the eName: @ and a UUID.",
  name: "Name in its tokens",
  nameHint: "Leave empty if its tokens name the eName.",
  nameFault: "Enter a name of at most 512 characters.",
  approve: "Approve platform",
  withdraw: "Withdraw",
  withdrawTitle: "Withdraw the approval?",
  withdrawText: "The platform then receives only the legacy records that its eName may read.",
  none: "No approved platforms",
  noneText: "Approve a platform below.",
} as const;

const COLUMNS = [{ title: WORDS.ename }, { title: WORDS.writesAs, kind: "long" }, { title: WORDS.action }] as const;

/** The content of the page: the platforms, and the form's fault. */
export interface ShownPlatforms {
  readonly platforms: readonly ApprovedPlatform[];
  readonly ename?: string;
  readonly platform?: string;
  readonly fault?: Fault;
}

/** Renders the operator's page of approved platforms. Refuses: never. Source: decision E9. */
export function platformsPage(visit: Visit, { platforms, ename, platform, fault }: ShownPlatforms): PortalPage {
  const rows = platforms.map((one) => [
    copyableIdentifier(one.ename, "the eName"),
    html`<span class="clamp">${one.platform ?? ""}</span>`,
    confirmedAction(
      visit,
      {
        id: `withdraw-${one.ename.slice(1)}`,
        text: WORDS.withdraw,
        title: WORDS.withdrawTitle,
        consequence: WORDS.withdrawText,
      },
      { at: `/portal/platforms/${one.ename}/withdraw`, text: WORDS.withdraw },
    ),
  ]);
  return {
    title: WORDS.title,
    place: "platforms",
    main: html`<div><h1>${WORDS.title}</h1><p class="muted">${WORDS.lead}</p></div>
${
  rows.length > 0
    ? table({ caption: WORDS.caption, columns: COLUMNS, rows })
    : html`<section class="card">${emptyState({ illustration: "requests", title: WORDS.none, text: WORDS.noneText })}</section>`
}
${formFault(fault, ["ename", "platform"])}
<form class="card" method="post" action="/portal/platforms">${tokenField(visit.formToken)}
${field({
  name: "ename",
  label: WORDS.enameLabel,
  value: ename,
  isRequired: true,
  maxLength: 64,
  hint: WORDS.enameHint,
  fault: hasFault(fault, "ename") ? WORDS.enameFault : undefined,
})}
${field({
  name: "platform",
  label: WORDS.name,
  value: platform,
  maxLength: 512,
  hint: WORDS.nameHint,
  fault: hasFault(fault, "platform") ? WORDS.nameFault : undefined,
})}
${button({ kind: "primary", text: WORDS.approve })}</form>`,
  };
}
