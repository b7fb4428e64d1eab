import type { Report } from "@dataspace/adapter/sync/report";
import type { Log } from "@dataspace/service-kit/log";

/** Writes to the log what the adapter could not sync; the rest is counted in its status. Refuses: never. */
export function logReports(log: Log): (report: Report) => void {
  return (report) => {
    if (report.kind === "parked" || report.kind === "refused") log.warn(report, "the adapter left something out");
    if (report.kind === "retried") log.info({ ...report, error: String(report.error) }, "the adapter tries again");
  };
}
