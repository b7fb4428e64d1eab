import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

/** `dataspace people`: the demo people of the development stack, a line each: eName, then name. Source: decision P5. */
export function addPeople(program: Command): void {
  program
    .command("people")
    .description("lists the demo people of the development stack: eName, then name")
    .action(() =>
      runCommand(async () => {
        const { listDemoPeople } = await import("../issue-demo-token.ts");
        for (const { ename, name } of listDemoPeople(process.env)) console.log(`${ename} ${name}`);
      }),
    );
}
