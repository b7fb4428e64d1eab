import { field } from "@dataspace/ui/field";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { ApprovedPlatform } from "../consumers/platforms.ts";
import { type Fault, faultOf, formFault } from "./fault-page.ts";
import { confirmedAction, type PortalPage, tokenField } from "./frame.ts";
import type { Visit } from "./visits.ts";

const COLUMNS = [{ title: "eName", kind: "long" }, { title: "Writes as", kind: "long" }, { title: "" }] as const;

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
    html`<span class="mono">${one.ename}</span>`,
    one.platform ?? "",
    confirmedAction(visit, "It then receives only the legacy records that its eName may read.", {
      at: `/portal/platforms/${one.ename}/withdraw`,
      text: "Withdraw",
    }),
  ]);
  return {
    title: "Platforms",
    place: "platforms",
    main: html`<div><h1>Platforms</h1>
<p class="muted">An approved platform receives the events of every record under a legacy array, except those that it wrote itself. Records with
a policy of their own go only to whom that admits.</p></div>
${rows.length > 0 ? table({ caption: "Approved by you, the operator", columns: COLUMNS, rows }) : ""}
${formFault(fault, ["ename", "platform"])}
<form class="card" method="post" action="/portal/platforms">${tokenField(visit.formToken)}
${field({ name: "ename", label: "eName", value: ename, isRequired: true, maxLength: 64, fault: faultOf(fault, "ename") })}
${field({
  name: "platform",
  label: "Name by which its writes are known",
  value: platform,
  maxLength: 512,
  hint: "As its tokens have it. Empty: its eName.",
  fault: faultOf(fault, "platform"),
})}
<button>Approve</button></form>`,
  };
}
