// The constellation in a separate process, with a probe that the parent queries over IPC.
import { createLog } from "@dataspace/service-kit/log";
import type { Environment } from "../service.ts";
import type { RunningService } from "../start-services.ts";
import { startProbe } from "./probe.ts";

/** The parent's messages: start, and then queries by name. */
export type Question =
  | { readonly ask: "start"; readonly env: Environment }
  | { readonly ask: "routes" | "reset" | "loop" | "footprint" };

/** The services that run, as the parent learns them. */
export interface Started {
  readonly services: readonly RunningService[];
}

const probe = startProbe();

process.on("message", (question: Question) => {
  void answer(question).then((it) => process.send?.({ it }));
});
process.once("disconnect", () => process.exit(0));

async function answer(question: Question): Promise<unknown> {
  switch (question.ask) {
    case "start":
      return start(question.env);
    case "routes":
      return probe.routes();
    case "reset":
      return probe.reset();
    case "loop":
      return probe.readLoop();
    case "footprint":
      return probe.readFootprint();
  }
}

async function start(env: Environment): Promise<Started> {
  const { startConstellation } = await import("../constellation.ts");
  const { services } = await startConstellation(env, {
    report: () => undefined,
    createLog: (service) => createLog({ service, level: "error", pretty: false }),
  });
  return { services };
}
