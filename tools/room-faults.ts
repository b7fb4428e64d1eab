// Checks the sources against the table of rooms.
import { existsSync } from "node:fs";
import path from "node:path";
import { findCycles } from "./import-cycles.ts";
import type { Room } from "./room.ts";
import { type Import, listSources, readImports, readWorkspaces } from "./source-imports.ts";

/**
 * Finds everything under `root` that the table does not allow, one sentence each; empty when all is allowed.
 *
 * In: `rooms` as tools/rooms-table.ts lists them. Out: sentences in the order of the files.
 * Refuses: never.
 */
export function findRoomFaults(root: string, rooms: readonly Room[]): string[] {
  const workspaces = readWorkspaces(root);
  const imports = new Map(listSources(root).map((file) => [file, readImports(root, file, workspaces)]));
  const own = new Map(
    [...imports].map(([file, list]) => [file, list.flatMap((it) => (it.kind === "own" ? it.file : []))]),
  );
  return [
    ...findTableFaults(root, rooms),
    ...[...imports].flatMap(([file, list]) => findFileFaults(file, list, rooms)),
    ...findCycles(own).map((group) => `import cycle: ${group.join(" -> ")}`),
  ];
}

/** A row without a folder, an unknown room name, and rooms that may import each other. */
function findTableFaults(root: string, rooms: readonly Room[]): string[] {
  const allowed = new Map(rooms.map(({ room, mayImport }) => [room, mayImport]));
  const circles = findCycles(allowed).map((group) => `the table lets rooms import each other: ${group.join(", ")}`);
  const faults = rooms.flatMap(({ room, at, mayImport }) => [
    ...(existsSync(path.join(root, at)) ? [] : [`room ${room}: ${at} does not exist; remove its row`]),
    ...mayImport
      .filter((name) => !allowed.has(name))
      .map((name) => `room ${room} may import ${name}, which does not exist`),
  ]);
  return [...faults, ...circles];
}

function findFileFaults(file: string, imports: readonly Import[], rooms: readonly Room[]): string[] {
  const room = findRoom(file, rooms);
  if (room === undefined) return [`${file} is in no room; add a row to tools/rooms-table.ts or move it`];
  return imports.flatMap((it) => {
    const reason = it.kind === "own" ? judgeOwn({ file, room, rooms }, it) : judgeOutside(file, room, it.name);
    return reason === undefined ? [] : [`${file} imports ${it.specifier}: ${reason}`];
  });
}

/**
 * The room with the longest path that contains the file: a file may be its own room within a folder. Where a workspace
 * has inner rooms, a folder of its `src` without a row is in no room, so that a new folder gets a stated purpose.
 */
function findRoom(file: string, rooms: readonly Room[]): Room | undefined {
  const holding = rooms.filter(({ at }) => file === at || file.startsWith(`${at}/`));
  const room = holding.sort((a, b) => b.at.length - a.at.length)[0];
  const isSplit = rooms.some((other) => other.room.startsWith(`${room?.room}/`));
  return isSplit && isBelow(file, `${room?.at}/src/`) ? undefined : room;
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder) && file.slice(folder.length).includes("/");
}

type Importer = { readonly file: string; readonly room: Room; readonly rooms: readonly Room[] };

function judgeOwn({ file, room, rooms }: Importer, own: Import & { readonly kind: "own" }): string | undefined {
  const target = own.file;
  if (/(^|\/)main\.ts$/.test(target) && room.room !== "cli") return "only the command line imports a main.ts";
  if (isTest(target) && !isTest(file)) return "only tests import from tests";
  const isNextDoor = workspaceOf(target) === workspaceOf(file);
  if (own.specifier.startsWith(".") && isSource(target) && !isNextDoor) return "use the package's name";
  const targetRoom = findRoom(target, rooms);
  if (targetRoom === undefined) return "it is outside every room";
  const isNear = targetRoom.room === room.room || room.mayImport.includes(targetRoom.room);
  // A test may import all of its own workspace, any package and the vectors, but no higher tier.
  const isTestsReach = isTest(file) && (isNextDoor || /^(packages|vectors)\//.test(target));
  if (isNear || isTestsReach || (!isNextDoor && isOpened(targetRoom, room, rooms))) return undefined;
  return `${room.room} may import ${[...room.mayImport].join(", ") || "no other room"}, not ${targetRoom.room}`;
}

function isOpened(target: Room, { mayImport }: Room, rooms: readonly Room[]): boolean {
  return rooms.some(
    ({ room, opensInner }) => opensInner && target.room.startsWith(`${room}/`) && mayImport.includes(room),
  );
}

function judgeOutside(file: string, room: Room, name: string): string | undefined {
  const isAllowed =
    isTest(file) ||
    SUPPORTS_TESTS.test(file) ||
    room.outside.some((it) => it === name || (it === "node:*" && name.startsWith("node:")));
  return isAllowed ? undefined : `${room.room} may use ${room.outside.join(", ") || "nothing from outside"}`;
}

function isSource(file: string): boolean {
  return /\.(ts|mjs)$/.test(file);
}

/** Files that tests alone use; like tests they may use all of the platform. */
const SUPPORTS_TESTS = /\/test-[a-z-]+\.ts$/;

function isTest(file: string): boolean {
  return file.endsWith(".test.ts") || file.includes("/spec/");
}

function workspaceOf(file: string): string {
  return /^(?:packages|apps)\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file;
}
