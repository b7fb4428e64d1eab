import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

const MODULE = "--adapter <module>";
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
    .action((table: string, { adapter: module }: Operated) => operate((acts) => acts.printDifferences(module, table)));
  adapter
    .command("backfill")
    .description("sends every row that has no record; goes on where it was interrupted")
    .argument("<table>")
    .requiredOption(MODULE, MODULE_HELP)
    .option("--dry-run", "only counts")
    .action((table: string, { adapter: module, dryRun = false }: Operated) =>
      operate((acts) => acts.runBackfill(module, table, dryRun)),
    );
  adapter
    .command("catch-up")
    .description("applies the events of the feed since the last time; DS_AWARENESS_API_KEY is sent as bearer")
    .requiredOption(MODULE, MODULE_HELP)
    .requiredOption("--awareness <url>", "the awareness service")
    .option("--dry-run", "only counts")
    .action(({ adapter: module, awareness = "", dryRun = false }: Operated) =>
      operate((acts) =>
        acts.runCatchUp(module, { awarenessUrl: awareness, dryRun, apiKey: process.env["DS_AWARENESS_API_KEY"] }),
      ),
    );
  adapter
    .command("doctor")
    .description("looks at the adapter's state, tables and triggers")
    .requiredOption(MODULE, MODULE_HELP)
    .action(({ adapter: module }: Operated) => operate((acts) => acts.printFindings(module)));
}

interface Operated {
  readonly adapter: string;
  readonly dryRun?: boolean;
  readonly awareness?: string;
}

interface Tried {
  readonly table: string;
  readonly row: string;
}

type Acts = typeof import("../operate-adapter.ts");

function operate(act: (acts: Acts) => Promise<void>): Promise<void> {
  return runCommand(async () => act(await import("../operate-adapter.ts")));
}

function addMappingCommands(adapter: Command): void {
  adapter
    .command("check")
    .description("reads the mappings of a directory and lists every fault with its place")
    .argument("<directory>")
    .action((directory: string) =>
      runCommand(async () => (await import("../try-mappings.ts")).checkMappings(directory)),
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
      .action((directory: string, { table, row }: Tried) =>
        runCommand(async () => (await import("../try-mappings.ts")).tryMapping({ name, directory, table, file: row })),
      );
  }
}
