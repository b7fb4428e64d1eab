import { collectSettingValues } from "@dataspace/service-kit/settings/setting-values";
import { type Environment, OPERATED_SERVICES, type OperatedService } from "../operate/operated-services.ts";
import { findFaults } from "../operate/show-config.ts";
import { checkDatabase } from "./check-database.ts";
import { checkMachine } from "./check-machine.ts";
import { checkParties } from "./check-parties.ts";
import { type Finding, fault, ok } from "./finding.ts";
import type { Instruments, Patient } from "./patient.ts";

/**
 * Examines services, their settings, database, machine and the parties around them. It changes nothing.
 *
 * Out: one finding for each check; a fault names its cause and its fix. Refuses: never by itself. Source: decision P5;
 * stack "Doctor".
 */
export async function examine(
  services: readonly OperatedService[],
  env: Environment,
  instruments: Instruments,
): Promise<readonly Finding[]> {
  const names = [...new Set(OPERATED_SERVICES.flatMap(({ settings }) => Object.keys(settings)))];
  const patient: Patient = { env, services, values: collectSettingValues(names, env).values };
  const parts = await Promise.all([
    checkSettings(patient),
    checkDatabase(patient),
    checkMachine(patient, instruments),
    checkParties(patient, instruments),
  ]);
  return parts.flat();
}

function checkSettings({ services, env }: Patient): readonly Finding[] {
  if (services.length === 0) {
    const fix = "Set the settings of a service, or name one: dataspace doctor vault";
    return [{ check: "settings", status: "warning", message: "No service's settings are set.", fix }];
  }
  return services.flatMap((service) => {
    const faults = findFaults(() => service.read(env));
    if (faults.length === 0) return [ok("settings", `The settings of ${service.name} are good.`)];
    return faults.map((text) => fault("settings", text, `dataspace config ${service.name} shows all of them.`));
  });
}
