import { type Progress, showProgress } from "@dataspace/system/demo/progress";

/** Shows the progress of a stage on stderr. In: `total`, undefined where it is not known. Refuses: never. */
export function startProgress(label: string, total: number | undefined): Progress {
  return showProgress({ stream: process.stderr, nowMs: () => performance.now() }, { label, total });
}
