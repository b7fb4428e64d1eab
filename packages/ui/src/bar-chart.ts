import { html } from "hono/html";
import type { Html } from "./html.ts";
import { table } from "./table.ts";

/** One time span of a chart: how often something succeeded and failed in it. */
export interface ChartBar {
  /** The span in words, such as "14:00 to 14:30". */
  readonly title: string;
  readonly ok: number;
  readonly bad: number;
}

/** A chart of successes and failures over time. `id` is unique in the page. */
export interface BarChart {
  readonly id: string;
  /** What the chart shows, with its totals: screen readers read it in place of the drawing. */
  readonly summary: string;
  readonly names: { readonly span: string; readonly ok: string; readonly bad: string; readonly asTable: string };
  /** The oldest first. */
  readonly bars: readonly ChartBar[];
  /** The words at the left and the right end of the time axis. */
  readonly ends: readonly [from: string, to: string];
}

const HEIGHT = 100;
const STEP = 10;
const WIDTH = 7;
/** A single failure among thousands stays visible. */
const LOWEST = 2;

/**
 * Draws successes above a line and failures below it, so that the place tells them apart and not the colour alone. The
 * same numbers follow as a table. Refuses: never. Source: WCAG 2.2, 1.1.1 and 1.4.1.
 */
export function barChart({ id, summary, names, bars, ends }: BarChart): Html {
  const mostOk = Math.max(0, ...bars.map(({ ok }) => ok));
  const mostBad = Math.max(0, ...bars.map(({ bad }) => bad));
  const scale = HEIGHT / Math.max(1, mostOk + mostBad);
  const line = mostOk + mostBad === 0 ? HEIGHT : mostOk * scale;
  return html`<figure class="chart"><figcaption class="row"><span class="key ok">${names.ok}</span><span class="key bad">${names.bad}</span></figcaption>
<div class="plot"><div class="scale" aria-hidden="true"><span>${mostOk}</span><span>${mostBad > 0 && mostBad}</span></div>
<svg viewBox="0 ${-LOWEST} ${bars.length * STEP} ${HEIGHT + 2 * LOWEST}" preserveAspectRatio="none" role="img" aria-label="${summary}">${bars.map(
    (bar, place) => drawnBar(bar, { left: place * STEP, line, scale }),
  )}<path class="base" d="M0 ${line}H${bars.length * STEP}"/></svg>
<div class="ends" aria-hidden="true"><span>${ends[0]}</span><span>${ends[1]}</span></div></div>
<details id="${id}-table"><summary>${names.asTable}</summary>${numbers(summary, names, bars)}</details></figure>`;
}

interface Scale {
  readonly left: number;
  readonly line: number;
  readonly scale: number;
}

function drawnBar({ title, ok, bad }: ChartBar, { left, line, scale }: Scale): Html {
  const x = left + (STEP - WIDTH) / 2;
  const [up, down] = [ok, bad].map((count) => (count === 0 ? 0 : Math.max(LOWEST, count * scale))) as [number, number];
  return html`<g><title>${title}: ${ok} / ${bad}</title><path class="room" d="M${left} 0h${STEP}v${HEIGHT}h-${STEP}z"/>${
    up > 0 && html`<path class="ok" d="M${x} ${fixed(line - up)}h${WIDTH}v${fixed(up)}h-${WIDTH}z"/>`
  }${down > 0 && html`<path class="bad" d="M${x} ${fixed(line)}h${WIDTH}v${fixed(down)}h-${WIDTH}z"/>`}</g>`;
}

function fixed(length: number): string {
  return length.toFixed(2);
}

function numbers(caption: string, names: BarChart["names"], bars: readonly ChartBar[]): Html {
  const shown = bars.filter(({ ok, bad }) => ok + bad > 0).toReversed();
  const columns = [
    { title: names.span },
    { title: names.ok, kind: "number" },
    { title: names.bad, kind: "number" },
  ] as const;
  return table({ caption, columns, rows: shown.map(({ title, ok, bad }) => [title, ok, bad]) });
}
