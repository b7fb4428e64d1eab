import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

type Options = import("../leaving/archive-actions.ts").ArchiveOptions;
type Outcome = import("../print-outcome.ts").Outcome;
type MoveOptions = import("../leaving/move-action.ts").MoveOptions;

const EXAMPLES = `
Examples:
  dataspace vault export @<uuid> --out mine.dsv.gz
  dataspace vault verify mine.dsv.gz --owner @<uuid>
  dataspace vault import mine.dsv.gz
  dataspace vault move @<uuid> --to https://vault.example.org --wallet-key key.jwk --code dsi_...
  dataspace vault erase @<uuid> --yes

Exit codes: 0 done, 1 refused, 64 command line, 65 archive refused, 69 service unavailable, 77 credential refused, 78 settings.`;

/**
 * `dataspace vault`: the standalone vault; and its owner's exit: `export`, `verify`, `import`, `admit`, `move`, `erase`.
 *
 * Source: decisions P5, V18.
 */
export function addVault(program: Command): void {
  const vault = program
    .command("vault")
    .description(
      "one vault server, for production: settings from the environment; or what a subcommand does with a vault",
    )
    .addHelpText("after", EXAMPLES)
    .action(async () => {
      const [{ runAlone }, { startVault }] = await Promise.all([
        import("../run-alone.ts"),
        import("@dataspace/vault/main"),
      ]);
      await runAlone("vault", startVault);
    });
  addArchives(vault);
  addMove(vault);
  addErase(vault);
}

function addArchives(vault: Command): void {
  add(vault, "export", "writes a vault of the configured storage as one archive, and verifies it")
    .argument("<ename>", "the owner: @ and a UUID")
    .option("--out <file>", "the archive; vault-<uuid>.dsv.gz when absent")
    .action((ename: string, options: Options) =>
      run(options, async () =>
        (await import("../leaving/archive-actions.ts")).exportFromDatabase(process.env, ename, options),
      ),
    );
  add(vault, "verify", "checks an archive offline: checksums, hashes, order, signatures of the owner")
    .argument("<archive>", "the file")
    .option("--owner <ename>", "whose it must be")
    .option("--digest <hex>", "the digest that the export printed")
    .action((file: string, options: Options) =>
      run(options, async () => (await import("../leaving/archive-actions.ts")).verifyFile(file, options)),
    );
  add(vault, "import", "brings an archive into the configured storage; goes on where it was interrupted")
    .argument("<archive>", "the file")
    .option("--owner <ename>", "whose it must be")
    .option("--digest <hex>", "the digest that the export printed")
    .action((file: string, options: Options) =>
      run(options, async () =>
        (await import("../leaving/archive-actions.ts")).importToDatabase(process.env, file, options),
      ),
    );
  add(vault, "admit", "prints a code with which one owner may move a vault here, once, within 24 hours")
    .argument("<ename>", "the owner: @ and a UUID")
    .action((ename: string, options: Options) =>
      run(options, async () => (await import("../leaving/archive-actions.ts")).admitOwner(process.env, ename)),
    );
}

function addMove(vault: Command): void {
  add(vault, "move", "moves a vault to another host, step by step; run it again after an interruption")
    .argument("<ename>", "the owner: @ and a UUID")
    .requiredOption("--to <url>", "the base address of the new vault service")
    .requiredOption("--wallet-key <file>", "the owner's private key as JWK")
    .option("--registry <url>", "the registry", "http://127.0.0.1:4321")
    .option(
      "--archive <file>",
      "where the archive lies, and stays; when absent it is vault-<uuid>.dsv.gz, deleted at the end",
    )
    .option("--code <code>", "the code of the new host's operator (vault admit)")
    .option("--undo", "undo a move that has not reached the registry")
    .action((ename: string, options: MoveOptions) =>
      run(options, async () => (await import("../leaving/move-action.ts")).moveOrUndo(ename, options)),
    );
}

function addErase(vault: Command): void {
  add(vault, "erase", "destroys the content of a vault of the configured storage for good; versions and hashes stay")
    .argument("<ename>", "the owner: @ and a UUID")
    .option("--record <id>", "one record alone")
    .option("--yes", "confirm that nothing of it can be restored")
    .option("--rewrite", "write the tables again, so that no old page keeps bytes; the vault service waits meanwhile")
    .action((ename: string, options: Options) =>
      run(options, async () =>
        (await import("../leaving/archive-actions.ts")).eraseInDatabase(process.env, ename, options),
      ),
    );
}

function add(vault: Command, name: string, says: string): Command {
  return vault.command(name).description(says).option("--json", "print one JSON object");
}

function run({ json = false }: Options, act: () => Promise<Outcome>): Promise<void> {
  return runCommand(async () => {
    const [{ printOutcomeOf }, { refusalOfExit: toRefusal }] = await Promise.all([
      import("../print-outcome.ts"),
      import("../leaving/refusal-of-exit.ts"),
    ]);
    await printOutcomeOf(act, { asJson: json, toRefusal });
  });
}
