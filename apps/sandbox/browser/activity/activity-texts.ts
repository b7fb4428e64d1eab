/** The texts of the area Activity. Source: S3 "Sandbox", log panel. */
export const ACTIVITY_TEXTS = {
  states: { running: "running", ok: "done", bad: "failed" },
  doing: (doing: string) => `${doing} …`,
  failed: (doing: string) => `${doing}: failed`,
  detail: "Details",
  noAnswer: "no answer",
  took: (durationMs: number) => `${durationMs} ms`,
  copy: "Copy as curl",
  sent: "Sent",
  received: "Received",
} as const;
