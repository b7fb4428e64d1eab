import type { Environment, OperatedService } from "../operate/operated-services.ts";

/** What the doctor examines: the services that are meant to run here, and their settings. */
export interface Patient {
  readonly env: Environment;
  readonly services: readonly OperatedService[];
  /** The texts of all settings, from the environment or from files. Never print one without masking it. */
  readonly values: Environment;
}

/** What the doctor examines with: requests, the disk, the time of this machine in ms, and the version of Node. */
export interface Instruments {
  readonly fetch: typeof fetch;
  readonly freeBytes: (directory: string) => number;
  readonly nowMs: () => number;
  readonly nodeVersion: string;
}

/** Whether one of the services has a setting. Refuses: never. */
export function hasSetting({ services }: Patient, name: string): boolean {
  return services.some(({ settings }) => name in settings);
}

/** Whether a service is examined. Refuses: never. */
export function isExamined({ services }: Patient, name: string): boolean {
  return services.some((service) => service.name === name);
}
