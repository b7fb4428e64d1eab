import type { BenchReport, Figures, Outcome } from "./measurement.ts";

/** Checks whether a measured value meets its bar. */
export function keepsBar({ measured, bar, atMost }: Outcome): boolean {
  return atMost ? measured <= bar : measured >= bar;
}

/** Writes the outcomes and figures of a bench as Markdown tables, which read as well at a terminal. */
export function reportToMarkdown({ outcomes, figures, notes }: BenchReport): string {
  const promises = toTable(["promise", "measured", "bar", ""], outcomes.map(outcomeCells));
  const table = toTable(
    ["variant", "ops/s", "p50 ms", "p99 ms", "service us/op", "postgres us/op", "load us/op"],
    figures.map(figureCells),
  );
  const tables = [...(outcomes.length > 0 ? [promises] : []), ...(figures.length > 0 ? [table] : [])];
  return [...tables, ...notes.map((note) => `- ${note}`)].join("\n\n");
}

function outcomeCells(outcome: Outcome): string[] {
  const { name, measured, bar, atMost, unit = "" } = outcome;
  const digits = unit === "" ? 2 : 0;
  const cells = [name, `${measured.toFixed(digits)}${unit}`, `${atMost ? "<=" : ">="} ${bar}${unit}`];
  return [...cells, keepsBar(outcome) ? "pass" : "MISS"];
}

function figureCells({ name, ...figures }: Figures): string[] {
  const { opsPerSecond, p50Ms, p99Ms, serviceCpuUs, postgresCpuUs, loadCpuUs } = figures;
  const latencies = [p50Ms, p99Ms].map((ms) => toText(ms, ms < 10 ? 2 : 1));
  return [
    name,
    toText(opsPerSecond, opsPerSecond < 10 ? 2 : 0),
    ...latencies,
    ...[serviceCpuUs, postgresCpuUs, loadCpuUs].map((us) => toText(us, 0)),
  ];
}

function toText(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : "-";
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(3, cell.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}
