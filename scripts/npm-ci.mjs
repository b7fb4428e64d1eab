// `npm ci` for the launcher: quiet, with progress, and with one clear message when it fails.
import fs from "node:fs";
import path from "node:path";
import { runChild } from "./child.mjs";

/** A fault that a person can fix; the launcher prints its message and nothing else. */
export class Fault extends Error {}

export const networkAdvice = "Check the network and `npm config get registry`, then run the same command again.";

// Explicit, because a person's settings may leave out kinds of packages. Without prefer-offline a warm cache hangs when
// there is no network; npm's own retries would be silent for more than a minute.
const flags = ["--prefer-offline", "--include=dev", "--include=optional", "--ignore-scripts", "--loglevel=error"];
const retries = ["--fetch-retries=3", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=8000"];

/** Runs `npm ci` in `dir` on the Node at `node`, then `check`. `what` names the thing in messages. Refuses with Fault. */
export async function npmCi({ node, dir, what, check, say, onStart }) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const progress = setInterval(() => say(`still installing ${what} (${seconds()} s)`), 10_000);
  const { code, signal, errorText } = await runChild(node, [findNpm(), "ci", ...flags, ...retries], {
    cwd: dir,
    // The Node from npm uses only its built-in list of certificate authorities; a company's authority is in the
    // system's list.
    env: { ...process.env, NODE_USE_SYSTEM_CA: "1" },
    stdio: ["ignore", "ignore", "pipe"],
    onStart,
  }).finally(() => clearInterval(progress));
  if (signal) throw new Fault(`installing ${what} was stopped (${signal}); run the same command again.`);
  if (code !== 0) throw new Fault(describeFault(what, code, errorText));
  await check();
  say(`installed ${what} in ${seconds()} s`);
}

function describeFault(what, code, errorText) {
  const lines = errorText.split("\n").filter((line) => /^npm (error|ERR!) \S/.test(line));
  const reported = lines
    .map((line) => line.replace(/^npm \S+ /, ""))
    .filter((line) => !/^(syscall|errno|path) /.test(line));
  const reason = reported.slice(0, 2).join("; ") || `exit code ${code}`;
  return `npm could not install ${what} (${reason}). ${networkAdvice}`;
}

/**
 * The npm that started this process, else the one beside the person's Node: yarn, bun and a bare `node` name none that
 * works.
 */
function findNpm() {
  const started = process.env.npm_execpath ?? "";
  const tail = ["node_modules", "npm", "bin", "npm-cli.js"];
  const nodeDir = path.dirname(process.execPath);
  const onPath = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const places = [
    ...(started.endsWith("npm-cli.js") ? [started] : []),
    path.join(nodeDir, ...tail),
    path.join(nodeDir, "..", "lib", ...tail),
    ...onPath.flatMap((dir) => [path.join(dir, "npm"), path.join(dir, ...tail)]),
  ];
  for (const place of places) {
    const file = fs.existsSync(place) ? fs.realpathSync(place) : "";
    if (file.endsWith("npm-cli.js")) return file;
  }
  throw new Fault("npm was not found. Install Node from https://nodejs.org (npm comes with it), then run `npm start`.");
}
