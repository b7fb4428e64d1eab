import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

/**
 * `dataspace login`: the standalone login connector; `dataspace login migrate` applies its migrations first. Source: S2
 * "Operation".
 */
export function addLogin(program: Command): void {
  const login = program
    .command("login")
    .description("one login connector, for production: settings from the environment")
    .action(async () => {
      const [{ runAlone }, { startLogin }] = await Promise.all([
        import("../run-alone.ts"),
        import("@dataspace/login/main"),
      ]);
      await runAlone("login", startLogin);
    });
  login
    .command("migrate")
    .description("applies the login connector's pending migrations, and names them")
    .action(() =>
      runCommand(async () => {
        const [{ withConfiguredDatabase }, { migrate }, { loginMigrations }] = await Promise.all([
          import("../configured-database.ts"),
          import("@dataspace/service-kit/postgres/migrations"),
          import("@dataspace/login/migrations"),
        ]);
        const report = (line: string) => console.error(line);
        const { applied } = await withConfiguredDatabase(process.env, { report }, (database) =>
          migrate(database, loginMigrations),
        );
        console.log(applied.length === 0 ? "No migration was pending." : `Applied ${applied.join(", ")}.`);
      }),
    );
}
