import type { Outcome } from "../print-outcome.ts";
import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

const MODULE = "--adapter <module>";
const JSON_OPTION = "--json";
const JSON_HELP = "prints JSON";
const MODULE_HELP = "a module that exports `adapter`, what createAdapter gave";

/** `dataspace adapter ...`: checks, tries and operates a platform's adapter. Source: S3 "Platform adapter"; decision A3. */
export function addAdapter(program: Command): void {
  const adapter = program.command("adapter").description("a platform's adapter: mappings, differences, backfill");
  addMappingCommands(adapter);
  adapter
    .command("diff")
    .description("compares rows with their records, and writes nothing")
    .argument("<table>")
    .requiredOption(MODULE, MODULE_HELP)
    .option(JSON_OPTION, "prints each difference as JSON on a line, and their number on the last")
    .action((table: string, { adapter: module, json }: Operated) =>
      operate(json, (acts) => acts.printDifferences(module, { table, asJson: json === true })),
    );
  adapter
    .command("backfill")
    .description("sends every row that has no record; goes on where it was interrupted")
    .argument("<table>")
    .requiredOption(MODULE, MODULE_HELP)
    .option("--dry-run", "only counts")
    .option(JSON_OPTION, JSON_HELP)
    .action((table: string, { adapter: module, dryRun = false, json }: Operated) =>
      operate(json, (acts) => acts.runBackfill(module, table, dryRun)),
    );
  adapter
    .command("catch-up")
    .description("applies the events of the feed since the last time; DS_AWARENESS_API_KEY is sent as bearer")
    .requiredOption(MODULE, MODULE_HELP)
    .requiredOption("--awareness <url>", "the awareness service")
    .option("--dry-run", "only counts")
    .option(JSON_OPTION, JSON_HELP)
    .action(({ adapter: module, awareness = "", dryRun = false, json }: Operated) =>
      operate(json, (acts) =>
        acts.runCatchUp(module, { awarenessUrl: awareness, dryRun, apiKey: process.env["DS_AWARENESS_API_KEY"] }),
      ),
    );
  adapter
    .command("doctor")
    .description("looks at the adapter's state, tables and triggers")
    .requiredOption(MODULE, MODULE_HELP)
    .option(JSON_OPTION, JSON_HELP)
    .action(({ adapter: module, json }: Operated) => operate(json, (acts) => acts.findFaults(module)));
}

interface Operated {
  readonly adapter: string;
  readonly dryRun?: boolean;
  readonly awareness?: string;
  readonly json?: boolean;
}

interface Tried {
  readonly table: string;
  readonly row: string;
  readonly json?: boolean;
}

type Acts = typeof import("../operate-adapter.ts");

function operate(json: boolean | undefined, act: (acts: Acts) => Promise<Outcome>): Promise<void> {
  return print(json, async () => act(await import("../operate-adapter.ts")));
}

function print(json: boolean | undefined, act: () => Promise<Outcome>): Promise<void> {
  return runCommand(async () => {
    const outcome = await act();
    (await import("../print-outcome.ts")).printOutcome(outcome, json);
  });
}

function addMappingCommands(adapter: Command): void {
  adapter
    .command("check")
    .description("reads the mappings of a directory and lists every fault with its place")
    .argument("<directory>")
    .option(JSON_OPTION, JSON_HELP)
    .action((directory: string, { json }: Pick<Tried, "json">) =>
      print(json, async () => (await import("../try-mappings.ts")).checkMappings(directory)),
    );
  for (const [name, description] of [
    ["test", "takes a row out, back and out again, and shows what is lost"],
    ["explain", "shows how the owner of a row is found"],
  ] as const) {
    adapter
      .command(name)
      .description(description)
      .argument("<directory>", "of the mappings")
      .requiredOption("--table <name>", "the tableName of a mapping")
      .requiredOption("--row <file>", "a row as JSON")
      .option(JSON_OPTION, JSON_HELP)
      .action((directory: string, { table, row, json }: Tried) =>
        print(json, async () => (await import("../try-mappings.ts")).tryMapping({ name, directory, table, file: row })),
      );
  }
}
