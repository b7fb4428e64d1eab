import type { Command } from "commander";

/** A position on the command line: the words before it, and the words that may follow. */
interface Place {
  readonly path: string;
  readonly words: readonly string[];
}

/** The shells for which a script can be made. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of the shells. */
export type Shell = (typeof SHELLS)[number];

/** Makes the completion script of a shell from the tree of commands. Refuses: never. */
export function makeCompletion(program: Command, shell: Shell): string {
  const places = listPlaces(program, []);
  return shell === "fish" ? makeFish(places) : makeBash(places, shell);
}

function listPlaces(command: Command, path: readonly string[]): readonly Place[] {
  const words = [
    ...command.commands.map((sub) => sub.name()),
    ...command.options.map(({ long }) => long ?? ""),
    "--help",
  ];
  const here = { path: path.join(" "), words: words.filter((word) => word !== "") };
  return [here, ...command.commands.flatMap((sub) => listPlaces(sub, [...path, sub.name()]))];
}

// zsh runs the bash script by its own emulation of bash's completion.
function makeBash(places: readonly Place[], shell: "bash" | "zsh"): string {
  const cases = places.map(({ path, words }) => `    "${path}") words="${words.join(" ")}" ;;`);
  return [
    ...(shell === "zsh" ? ["#compdef dataspace", "autoload -U +X bashcompinit && bashcompinit"] : []),
    "_dataspace() {",
    '  local place="" words="" index word',
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the shell's own form
    '    word="${COMP_WORDS[index]}"',
    '    [[ "$word" == -* ]] && continue',
    '    if [[ -z "$place" ]]; then place="$word"; else place="$place $word"; fi',
    "  done",
    '  case "$place" in',
    ...cases,
    "  esac",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the shell's own form
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    "}",
    "complete -F _dataspace dataspace",
    "",
  ].join("\n");
}

function makeFish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) => {
    const parts = path === "" ? [] : path.split(" ");
    const deeper = places.filter(
      (other) => other.path.startsWith(path === "" ? "" : `${path} `) && other.path !== path,
    );
    const next = deeper.map((other) => other.path.split(" ")[parts.length] ?? "");
    const within = parts.map((part) => `__fish_seen_subcommand_from ${part}`);
    const notYet = next.length === 0 ? [] : [`not __fish_seen_subcommand_from ${[...new Set(next)].join(" ")}`];
    const condition = [...within, ...notYet].join("; and ");
    return words.map((word) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c dataspace -f -n '${condition || "true"}' ${what}`;
    });
  });
  return [...lines, ""].join("\n");
}
