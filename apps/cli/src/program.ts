import { Command, CommanderError } from "commander";

/** sysexits EX_USAGE: the command line is invalid. */
const EXIT_USAGE = 64;

const HELP = `
Settings come from the environment, each also from a file named by <NAME>_FILE.

Examples:
  npm start                                the whole data space for development
  npm run demo                             writes 135,000 cities, reads them back, compares
  npm run dataspace -- verification issue  a code for one new vault
  npm run dataspace -- recovery issue @<uuid>  a code for an owner who has lost every key
  npm run dataspace -- doctor              what is wrong, and how to fix it

Exit codes: 0 done; 1 a command found a fault or was refused; 64 an invalid command line; 65 an archive is refused;
69 a service does not answer; 70 an internal error; 75 in use by another process; 77 a credential is refused;
78 a setting, a migration or a port is wrong.`;

/**
 * Makes the `dataspace` command without its subcommands. An option after a subcommand belongs to it, also where the command
 * above has one of that name.
 *
 * Refuses: never. Source: decision P5.
 */
export function createProgram(): Command {
  return new Command("dataspace")
    .description("People own their data; platforms borrow it.")
    .addHelpText("after", HELP)
    .showHelpAfterError("Run with --help to see what there is.")
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .exitOverride();
}

/**
 * Runs the command line: what commander refuses exits with 64, help with 0.
 *
 * Refuses: any error that a command throws. Source: sysexits (64 = EX_USAGE).
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Without a command, print the help and exit as for an invalid command line.
    const isHelp = error.exitCode === 0;
    process.exitCode = isHelp ? 0 : EXIT_USAGE;
  }
}
