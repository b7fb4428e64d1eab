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

/**
 * Shows a table. In a narrow window each row becomes a card that repeats the titles; in between the table scrolls
 * sideways in its frame, also by keyboard. The roles stand in the page, since a browser drops them with the layout of a
 * table. Refuses: never. Source: WCAG 2.2, 1.3.1 and 1.4.10.
 */
export function table({ caption, columns, rows }: Table): Html {
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ title, kind = "" }) => html`<th role="columnheader" scope="col" class="${kind}">${title}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => html`<tr role="row">${cells.map((cell, place) => tableCell(cell, place, columns))}</tr>`)}</tbody>
</table></div>`;
}

function tableCell(cell: Html | string | number, place: number, columns: readonly Column[]): Html {
  const { kind = "", title = "" } = columns[place] ?? {};
  return place === 0
    ? html`<th role="rowheader" scope="row" class="${kind}">${cell}</th>`
    : html`<td role="cell" class="${kind}" data-title="${title}">${cell}</td>`;
}

/** Shows pairs of a name and its value. Refuses: never. */
export function facts(pairs: readonly (readonly [name: string, value: Html | string | number])[]): Html {
  return html`<dl class="facts">${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
