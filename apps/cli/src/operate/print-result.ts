/** What a command found: lines for a person, and the same for a program. */
export interface Printable {
  readonly lines: readonly string[];
  readonly json: unknown;
}

/** Writes a result to stdout: its lines, or with `--json` one JSON value. Refuses: never. */
export function printResult({ lines, json }: Printable, asJson: boolean | undefined): void {
  if (asJson) console.log(JSON.stringify(json, undefined, 2));
  else for (const line of lines) console.log(line);
}
