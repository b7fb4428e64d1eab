/**
 * What happened that a person may want to know. None of them holds a value of a row or a payload.
 *
 * `skipped`: the row has no owner, or the event no table. `parked`: a row that cannot be synced as it is; it waits for a change or for
 * `retry`. `left-out`: a field of a row or payload that could not be converted. `retried`: a passing failure. `refused`: an event that
 * is not applied, and why.
 */
export type Report =
  | {
      readonly kind: "sent";
      readonly table: string;
      readonly localId: string;
      readonly act: "create" | "update" | "remove";
    }
  | {
      readonly kind: "applied";
      readonly table: string;
      readonly localId: string;
      readonly act: "create" | "update" | "remove";
    }
  | { readonly kind: "skipped"; readonly table: string; readonly localId: string; readonly why: "NO_OWNER" }
  | { readonly kind: "parked"; readonly table: string; readonly localId: string; readonly fault: string }
  | { readonly kind: "left-out"; readonly table: string; readonly localId: string; readonly fields: readonly string[] }
  | { readonly kind: "retried"; readonly table: string; readonly localId: string; readonly error: unknown }
  | {
      readonly kind: "refused";
      readonly globalId: string;
      readonly why: "NO_TABLE" | "OWNER_MISMATCH" | "EMPTY" | "FAILED";
    };

/** How often each kind was reported since the start. */
export type ReportCounts = Readonly<Record<Report["kind"], number>>;

/** Counts reports and passes them on. */
export function createReportCounter(passOn: ((report: Report) => void) | undefined): {
  readonly report: (report: Report) => void;
  readonly counts: () => ReportCounts;
} {
  const counts = { sent: 0, applied: 0, skipped: 0, parked: 0, "left-out": 0, retried: 0, refused: 0 };
  return {
    report: (report) => {
      counts[report.kind] += 1;
      passOn?.(report);
    },
    counts: () => ({ ...counts }),
  };
}
