/** Parses JSON text; undefined where it is malformed. Refuses: never. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
