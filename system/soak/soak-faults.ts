import { setTimeout as wait } from "node:timers/promises";
import type { StallingProxy } from "@dataspace/service-kit/testing/stalling-proxy";
import type { ServiceProcess } from "../crash/service-process.ts";
import type { Space } from "../crash/space.ts";

/** The parties of a soak that can fail. Only the second process of a pair is killed: memory is measured on the first. */
export interface SoakParties {
  readonly space: Pick<Space, "processes" | "receiver">;
  readonly proxies: readonly Pick<StallingProxy, "stall">[];
  /** Stops the database at once; it restarts by itself. */
  readonly stopDatabase: () => void;
}

/** One fault: its name, and what causes it; it resolves once the cause is over. */
export interface SoakFault {
  readonly name: string;
  readonly cause: (parties: SoakParties) => Promise<void>;
}

const PAUSE_MS = 2_000;

/** The faults of a soak, each of which ends without help. Source: reliability of services under load. */
export const SOAK_FAULTS: readonly SoakFault[] = [
  { name: "kill -9 of a vault", cause: ({ space }) => killSecond(space.processes, "vault") },
  { name: "kill -9 of an awareness service", cause: ({ space }) => killSecond(space.processes, "awareness") },
  { name: "immediate stop of the database", cause: async ({ stopDatabase }) => stopDatabase() },
  {
    name: "half-open connections to the database",
    cause: async ({ proxies }) => {
      for (const proxy of proxies) proxy.stall();
    },
  },
  { name: "a receiver that withholds an answer", cause: ({ space }) => space.receiver.holdNext() },
  { name: "a vault that pauses for 2 s", cause: ({ space }) => pauseSecond(space.processes) },
];

function secondOf(processes: readonly ServiceProcess[], service: ServiceProcess["service"]): ServiceProcess {
  return processes.filter((process) => process.service === service)[1] as ServiceProcess;
}

async function killSecond(processes: readonly ServiceProcess[], service: ServiceProcess["service"]): Promise<void> {
  const second = secondOf(processes, service);
  const { ended } = await second.life();
  second.kill();
  await ended;
  await second.life();
}

async function pauseSecond(processes: readonly ServiceProcess[]): Promise<void> {
  const { pause, resume } = await secondOf(processes, "vault").life();
  pause();
  await wait(PAUSE_MS);
  resume();
}
