import { listEffectiveSettings } from "@dataspace/service-kit/settings/effective-settings";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Outcome } from "../print-outcome.ts";
import { chooseServices, type Environment, OPERATED_SERVICES } from "./operated-services.ts";

/**
 * Lists the effective settings of services, each with its source; secrets are masked.
 *
 * In: the services' names; none for all. Out: also the faults that would prevent each service from starting.
 * Refuses: StartupError 78 for a name that no service has. Source: decisions P5, P7.
 */
export function showConfig(names: readonly string[], env: Environment): Outcome & { readonly isFaulty: boolean } {
  const services = names.length === 0 ? OPERATED_SERVICES : chooseServices(names, env);
  const json = services.map((service) => ({
    service: service.name,
    settings: listEffectiveSettings(service.settings, env),
    faults: findFaults(() => service.read(env)),
  }));
  const lines = json.flatMap(({ service, settings, faults }) => [
    `# ${service}`,
    ...settings.map(({ name, value, source }) => `${name}=${value ?? ""}  # ${source}`),
    ...faults.map((fault) => `# fault: ${fault}`),
    "",
  ]);
  // Without names, a service that is not meant to run here may lack settings.
  return { lines, json, isFaulty: names.length > 0 && json.some(({ faults }) => faults.length > 0) };
}

/** The faults of a service's settings, one a line; none when they can be read. Refuses: any other error unchanged. */
export function findFaults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const [head = "", ...faults] = error.message.split("\n").map((line) => line.trim());
    return faults.length === 0 ? [head] : faults;
  }
}
