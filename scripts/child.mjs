// One child process of the launcher. It receives the launcher's signals and ends with the npm that started the
// launcher.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";

const orphanGraceMs = 20_000;

/**
 * Runs a command to its end.
 *
 * In: `onStart` receives the child's pid. Out: exit `code` (128 + signal number when killed), `signal`, and the tail of
 * what it wrote to a piped stderr.
 */
export function runChild(command, args, { onStart, ...options }) {
  const child = spawn(command, args, options);
  let errorText = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    errorText = (errorText + text).slice(-20_000);
  });
  const stopForwarding = forwardSignals(child);
  const stopWatching = endWithParent(child);
  return new Promise((resolve, reject) => {
    child.on("spawn", () => onStart?.(child.pid));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code: code ?? 128 + (os.constants.signals[signal] ?? 0), signal, errorText }),
    );
  }).finally(() => {
    stopForwarding();
    stopWatching();
  });
}

function forwardSignals(child) {
  // At a terminal the child receives Ctrl-C by itself; forwarding it would deliver it twice.
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const interrupt = () => atTerminal || child.kill("SIGINT");
  const terminate = () => child.kill("SIGTERM");
  process.on("SIGINT", interrupt).on("SIGTERM", terminate).on("SIGHUP", terminate);
  return () => process.off("SIGINT", interrupt).off("SIGTERM", terminate).off("SIGHUP", terminate);
}

/** A killed npm does not end its script. Under nohup or a service manager, a lost parent means nothing. */
function endWithParent(child) {
  if (!process.env.npm_lifecycle_event) return () => undefined;
  const started = findAncestors();
  let grace;
  const watch = setInterval(() => {
    if (findAncestors() === started) return;
    clearInterval(watch);
    child.kill("SIGTERM");
    grace = setTimeout(() => child.kill("SIGKILL"), orphanGraceMs);
  }, 250);
  return () => {
    clearInterval(watch);
    clearTimeout(grace);
  };
}

/** The pids between this process and npm: npm runs scripts through a shell, and some shells (dash) stay in between. */
function findAncestors() {
  const parent = process.ppid;
  try {
    const [, command, grandparent] = /^\d+ \((.*)\) \S (\d+)/.exec(fs.readFileSync(`/proc/${parent}/stat`, "utf8"));
    return command.endsWith("sh") ? `${parent} ${grandparent}` : `${parent}`;
  } catch {
    return `${parent}`; // no /proc on this system, or the parent is gone
  }
}
