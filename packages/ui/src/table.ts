import { html } from "hono/html";
import type { Html } from "./html.ts";

/** A table: `caption` says what it lists; the first cell of each row names the row. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Html | string | number)[])[];
}

/** One column; `long` lets it wrap, `number` aligns it at the end. */
export interface Column {
  readonly title: string;
  readonly kind?: "long" | "number";
}

/** Shows a table in a frame that scrolls sideways in a narrow window, also by keyboard. Refuses: never. */
export function table({ caption, columns, rows }: Table): Html {
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map(({ title, kind = "" }) => html`<th scope="col" class="${kind}">${title}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, place) => tableCell(cell, place, columns))}</tr>`)}</tbody>
</table></div>`;
}

function tableCell(cell: Html | string | number, place: number, columns: readonly Column[]): Html {
  const kind = columns[place]?.kind ?? "";
  return place === 0 ? html`<th scope="row" class="${kind}">${cell}</th>` : html`<td class="${kind}">${cell}</td>`;
}

/** Shows pairs of a name and its value. Refuses: never. */
export function facts(pairs: readonly (readonly [name: string, value: Html | string | number])[]): Html {
  return html`<dl class="facts">${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
