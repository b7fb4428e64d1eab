import { Argument, type Command } from "commander";
import { makeCompletion, SHELLS, type Shell } from "../operate/shell-completion.ts";

const EXAMPLES = `
Examples:
  dataspace completion bash > /etc/bash_completion.d/dataspace
  dataspace completion zsh > "\${fpath[1]}/_dataspace"
  dataspace completion fish > ~/.config/fish/completions/dataspace.fish`;

/** `dataspace completion`: prints the completion script of a shell. Source: stack "Completions". */
export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("prints a shell's completion script")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText("after", EXAMPLES)
    .action((shell: Shell) => console.log(makeCompletion(program, shell)));
}
