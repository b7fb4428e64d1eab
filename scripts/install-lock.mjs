// One installer at a time: `npm start` and `npm test` of a fresh clone may start together. The lock is a directory,
// since creating one is atomic everywhere. Its holder writes its pids there once a second. A holder that died, even by
// kill -9, stops writing, and the first waiter to notice moves the directory aside.
import fs from "node:fs";
import path from "node:path";

const pollMs = 250;
const silentMs = 3_000;
// After a restart of the machine a stale pid may belong to another process: this much silence outweighs a living pid.
const longSilentMs = 120_000;

/**
 * Runs `work` while holding the lock directory. `work` receives a function to which it passes the pid of each installer
 * that it starts. The npm of a killed launcher continues to write, so the lock is stale only when that npm has ended
 * too.
 */
export async function withInstallLock(lockDir, onWait, work) {
  await take(lockDir, onWait);
  let pids = `${process.pid}`;
  const beat = () => fs.existsSync(lockDir) && fs.writeFileSync(pidsFile(lockDir), pids);
  beat();
  const beats = setInterval(beat, 1_000);
  try {
    return await work((pid) => {
      pids = `${process.pid} ${pid}`;
      beat();
    });
  } finally {
    clearInterval(beats);
    fs.rmSync(lockDir, { recursive: true, force: true });
  }
}

async function take(lockDir, onWait) {
  let last = lastBeat(lockDir);
  let stillMs = 0;
  let isReported = false;
  while (!tryMkdir(lockDir)) {
    if (stillMs > longSilentMs || (stillMs > silentMs && !readPids(lockDir).some(isAlive))) moveAside(lockDir);
    if (!isReported) onWait();
    isReported = true;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const now = lastBeat(lockDir);
    stillMs = now === last ? stillMs + pollMs : 0;
    last = now;
  }
}

function tryMkdir(dir) {
  try {
    fs.mkdirSync(dir);
    return true;
  } catch (fault) {
    if (fault.code === "EEXIST") return false;
    throw fault;
  }
}

/** Only one of several waiters can rename it; the others find it gone and try to create their own. */
function moveAside(lockDir) {
  const aside = `${lockDir}.${process.pid}`;
  try {
    fs.renameSync(lockDir, aside);
  } catch (fault) {
    if (fault.code === "ENOENT") return;
    throw fault;
  }
  fs.rmSync(aside, { recursive: true, force: true });
}

const pidsFile = (lockDir) => path.join(lockDir, "pids");

function lastBeat(lockDir) {
  return fs.statSync(pidsFile(lockDir), { throwIfNoEntry: false })?.mtimeMs;
}

function readPids(lockDir) {
  const file = pidsFile(lockDir);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").split(" ").map(Number).filter(Boolean) : [];
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (fault) {
    return fault.code === "EPERM";
  }
}
