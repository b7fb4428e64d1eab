import type { TimedExchange } from "./timed-exchanges.ts";

/**
 * Writes an exchange as a command of curl to paste into a shell. Tokens are the shell variable `TOKEN`; what the log
 * does not show is missing here too.
 *
 * Out: printable ASCII without line breaks, so that pasting it runs nothing else. Refuses: never.
 */
export function toCurl({ method, url, headers, request }: TimedExchange): string {
  const parts = [`curl -X ${method.replaceAll(/[^A-Z]/g, "")} ${quote(toAscii(url))}`];
  for (const [name, value] of Object.entries(headers)) {
    const header = `${name}: ${value}`;
    parts.push(`-H ${header.includes("$TOKEN") ? `"${name}: Bearer $TOKEN"` : quote(toAscii(header))}`);
  }
  if (request !== undefined) {
    parts.push(`--data-raw ${quote(toAscii(typeof request === "string" ? request : JSON.stringify(request)))}`);
  }
  return parts.join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In JSON, `\u` escapes mean the same characters. */
function toAscii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
