import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

const EXAMPLES = `
Examples:
  DS_DATA_DIR=/var/lib/dataspace-new dataspace restore /backups/2026-11-23
  DATABASE_URL=postgresql://... DS_FILES=/var/lib/files dataspace restore /backups/2026-11-23

The database and the directory of files must be empty. Run "dataspace migrate" afterwards.`;

/** `dataspace restore`: restores a backup into an empty database and directory, and compares the result. Source: decision P4. */
export function addRestore(program: Command): void {
  program
    .command("restore")
    .description("restores a backup into an empty database and directory, and compares every table and file")
    .argument("<directory>", "the backup")
    .option("--json", "prints JSON")
    .addHelpText("after", EXAMPLES)
    .action((from: string, options: { readonly json?: true }) =>
      runCommand(async () => {
        const [{ restoreBackup }, { findFiles }, { withConfiguredDatabase }, { OPERATED_SERVICES }, { printOutcome }] =
          await Promise.all([
            import("../backup/restore-backup.ts"),
            import("../backup/find-files.ts"),
            import("../configured-database.ts"),
            import("../operate/operated-services.ts"),
            import("../print-outcome.ts"),
          ]);
        const sources = OPERATED_SERVICES.flatMap(({ migrations }) => migrations);
        const files = findFiles(process.env);
        const report = (line: string) => console.error(line);
        const manifest = await withConfiguredDatabase(process.env, { report }, (database, url) =>
          restoreBackup(database, { from, url, files, sources }),
        );
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
        const { createdAt, tables, files: copied, notIncluded } = manifest;
        const json = { createdAt, tables: tables.length, rows, files: copied.length, notIncluded };
        const lines = [
          `Restored and compared: ${rows} rows, ${json.files} files, as of ${createdAt}.`,
          ...notIncluded.map((part) => `Not included: ${part}. Restore it as well.`),
        ];
        printOutcome({ lines, json }, options.json);
      }),
    );
}
