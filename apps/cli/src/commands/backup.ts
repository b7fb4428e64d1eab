import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

const EXAMPLES = `
Examples:
  dataspace backup --to /backups/2026-11-23
  dataspace backup verify /backups/2026-11-23
  dataspace backup drill --in /backups/drill-2026-11-23

The services may run meanwhile. Keys, other settings and the files in an S3 bucket are not part of a backup.`;

/** `dataspace backup`: copies database and files into a new directory; `verify` compares one with its manifest. Source: decision P4. */
export function addBackup(program: Command): void {
  const backup = program
    .command("backup")
    .description("copies the database and the stored files into a new directory, and reads them back")
    .option("--to <directory>", "a directory that does not exist yet")
    .option("--json", "prints JSON")
    .addHelpText("after", EXAMPLES)
    .action((options: { readonly to?: string; readonly json?: true }) => {
      if (options.to === undefined) return backup.error("error: required option '--to <directory>' is not given");
      return runCommand(() => takeInto(options.to ?? "", options.json));
    });
  backup
    .command("verify")
    .description("compares every part of a backup with its manifest")
    .argument("<directory>", "the backup")
    .option("--json", "prints JSON")
    .action((directory: string, options: { readonly json?: true }) =>
      runCommand(async () => {
        const { verifyBackup } = await import("../backup/manifest.ts");
        await print(await verifyBackup(directory), `The backup ${directory} is whole`, options.json);
      }),
    );
  backup
    .command("drill")
    .description("takes a backup, restores it into a new database and a new directory, and compares the two")
    .requiredOption("--in <directory>", "a directory that does not exist yet")
    .option("--json", "prints JSON")
    .action((options: { readonly in: string; readonly json?: true }) =>
      runCommand(() => drill(options.in, options.json)),
    );
}

async function drill(directory: string, json: true | undefined): Promise<void> {
  const [{ runDrill }, { printOutcome }] = await Promise.all([
    import("../backup/run-drill.ts"),
    import("../print-outcome.ts"),
  ]);
  const report = (line: string) => console.error(line);
  printOutcome(await runDrill({ env: process.env, report, nowMs: Date.now }, directory), json);
}

async function takeInto(to: string, json: true | undefined): Promise<void> {
  const [{ takeBackup }, { findFiles }, { withConfiguredDatabase }] = await Promise.all([
    import("../backup/take-backup.ts"),
    import("../backup/find-files.ts"),
    import("../configured-database.ts"),
  ]);
  const files = findFiles(process.env);
  const report = (line: string) => console.error(line);
  const manifest = await withConfiguredDatabase(process.env, { report }, (_database, url) =>
    takeBackup({ nowMs: Date.now() }, { url, files, to }),
  );
  await print(manifest, `Backed up into ${to}, and read back`, json);
}

type Manifest = Awaited<ReturnType<typeof import("../backup/manifest.ts").verifyBackup>>;

async function print(manifest: Manifest, what: string, json: true | undefined): Promise<void> {
  const { printOutcome } = await import("../print-outcome.ts");
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { createdAt, tables, files, notIncluded } = manifest;
  const counts = { createdAt, tables: tables.length, rows, files: files.length, notIncluded };
  const line = `${what}: ${rows} rows of ${counts.tables} tables, ${counts.files} files, as of ${createdAt}.`;
  const missing = notIncluded.map((part) => `Not included: ${part}. Back it up as well.`);
  printOutcome({ lines: [line, ...missing], json: counts }, json);
}
