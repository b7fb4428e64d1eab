import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

const EXAMPLES = `
Examples:
  dataspace doctor
  dataspace doctor vault awareness --json

Without names it examines the services whose own settings are set. Exits with 1 when it finds a fault.`;

/** `dataspace doctor`: examines settings, database, machine and parties, and names the cause of a fault. Source: decision P5. */
export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("examines the services, and names what is wrong and how to fix it")
    .argument("[services...]", "the services; those whose settings are set without names")
    .option("--json", "prints JSON")
    .addHelpText("after", EXAMPLES)
    .action((names: readonly string[], options: { readonly json?: true }) =>
      runCommand(async () => {
        const [{ examine }, { chooseServices }, { printOutcome }, { readFreeBytes }] = await Promise.all([
          import("../doctor/examine.ts"),
          import("../operate/operated-services.ts"),
          import("../print-outcome.ts"),
          import("@dataspace/service-kit/monitoring/disk-space"),
        ]);
        const instruments = { fetch, freeBytes: readFreeBytes, nowMs: Date.now, nodeVersion: process.versions.node };
        const findings = await examine(chooseServices(names, process.env), process.env, instruments);
        const lines = findings.flatMap(({ status, check, message, fix }) => [
          `${status.padEnd(7)}  ${check}: ${message}`,
          ...(fix === undefined ? [] : [`         fix: ${fix}`]),
        ]);
        printOutcome({ lines, json: findings }, options.json);
        if (findings.some(({ status }) => status === "fault")) process.exitCode = 1;
      }),
    );
}
