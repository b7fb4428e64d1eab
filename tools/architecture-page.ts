// Writes ARCHITECTURE.md from the table that the check reads, so that the page and the check always agree.
import type { Room } from "./room.ts";

/**
 * The architecture page.
 *
 * In: the table of rooms. Out: Markdown text. Refuses: never.
 */
export function renderArchitecture(rooms: readonly Room[]): string {
  const rows = rooms.map(
    ({ room, at, says, mayImport, outside }) =>
      `| **${room}** \`${at}\` | ${says} | ${mayImport.join(", ") || "–"} | ${outside.join(", ") || "–"} |`,
  );
  return `# Architecture

Written by \`node scripts/go.mjs tools/rooms.ts --write\` from \`tools/rooms-table.ts\`; edit the table, not this page.

A room is a module boundary: a folder or file with one purpose and a list of what it may import. \`npm run ok\` fails on an import
that is not in the list, on a file outside every room, and on an import cycle. Imports point down only:

\`\`\`text
${drawTiers(rooms)}
\`\`\`

A test may import all of its own workspace and any package. No file imports a \`main.ts\`, and only tests import tests.

| Room | Purpose | May import | External packages |
|---|---|---|---|
${rows.join("\n")}
`;
}

/** One line per tier, highest first. A workspace is one tier above the highest that it may import. */
function drawTiers(rooms: readonly Room[]): string {
  const uses = new Map<string, Set<string>>();
  for (const { room, mayImport } of rooms) {
    const own = workspaceOf(room);
    const targets = mayImport.map(workspaceOf).filter((name) => name !== own);
    uses.set(own, new Set([...(uses.get(own) ?? []), ...targets]));
  }
  const tiers = Object.values(Object.groupBy(uses.keys(), (workspace) => tierOf(workspace, uses, [])));
  return tiers
    .reverse()
    .map((names = []) => names.join("   "))
    .join("\n   |\n");
}

function tierOf(workspace: string, uses: ReadonlyMap<string, ReadonlySet<string>>, path: readonly string[]): number {
  if (path.includes(workspace))
    throw new Error(`the table lets ${[...path, workspace].join(" -> ")} import each other`);
  const below = [...(uses.get(workspace) ?? [])].map((name) => tierOf(name, uses, [...path, workspace]));
  return below.length === 0 ? 0 : Math.max(...below) + 1;
}

function workspaceOf(room: string): string {
  return room.split("/")[0] ?? room;
}
