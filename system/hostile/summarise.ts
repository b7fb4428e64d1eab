import type { Sent } from "./send-attacks.ts";

/**
 * Reports each kind of fault once: the same hostile value with the same answer at several operations probably has one
 * cause. Out: the first of each kind, and how many more there are. Refuses: never.
 */
export function summarise(sent: readonly Sent[]): readonly string[] {
  const kinds = Map.groupBy(
    sent.filter(({ fault }) => fault !== undefined),
    ({ name, fault }) => `${kindOf(name)}: ${fault}`,
  );
  return [...kinds.values()].map(([first, ...more]) => {
    const others = more.length === 0 ? "" : ` (and ${more.length} more like it)`;
    return `${first?.name}: ${first?.fault}${others}`;
  });
}

// What is hostile, without where it was sent and as whom.
function kindOf(name: string): string {
  const what = name.slice(name.indexOf(": ") + 2).replace(/ \(as [a-z ]+\)$/, "");
  return what.split(" = ").at(-1) as string;
}
