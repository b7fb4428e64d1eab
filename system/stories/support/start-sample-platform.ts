import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

const COMMAND = path.join(import.meta.dirname, "../../../examples/sample-platform/src/main.ts");

/** Starts the sample platform as its README says, in a process of its own, at a registry. */
export async function startSamplePlatform(space: {
  readonly registryUrl: string;
}): Promise<AsyncDisposable & { readonly url: string }> {
  const env = { ...process.env, PUBLIC_REGISTRY_URL: space.registryUrl, PLATFORM_PORT: "0" };
  const child = spawn(process.execPath, [COMMAND], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    if (typeof url === "string") return { url, [Symbol.asyncDispose]: stop };
  }
  throw new Error("The sample platform ended before it listened.");
}
