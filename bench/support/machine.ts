import { cpus, loadavg, totalmem } from "node:os";

/** Describes the machine a run was made on, one sentence a line. */
export function describeMachine(): readonly string[] {
  const [processor] = cpus();
  return [
    `${cpus().length} cores of ${processor?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory, ${process.platform} ${process.arch}.`,
    `Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
  ];
}

/** The load average over the last minute, as text. */
export function loadAverage(): string {
  return (loadavg()[0] ?? 0).toFixed(2);
}
