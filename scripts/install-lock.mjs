// One installer at a time: `npm start` and `npm test` of a fresh clone may start together.
// A directory, since making one is atomic everywhere. Its holder writes its pids there once a second; one that died
// (kill -9 too) is silent from then on, and the first waiter to notice moves the directory aside.
import fs from "node:fs";
import path from "node:path";

const pollMs = 250;
const silentMs = 3_000;
// After a restart of the machine a stale pid may belong to someone else: silence this long outweighs a living pid.
const longSilentMs = 120_000;

/**
 * Does `work` while holding the lock directory. `work` is given a function that it tells the pid of each installer it
 * starts: the npm of a killed launcher goes on writing, so the lock is stale only when that one is gone as well.
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
  let isTold = false;
  while (!tryMkdir(lockDir)) {
    if (stillMs > longSilentMs || (stillMs > silentMs && !readPids(lockDir).some(isAlive))) moveAside(lockDir);
    if (!isTold) onWait();
    isTold = true;
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

/** Of several waiters only one can rename it; the others find it gone and try to make their own. */
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
