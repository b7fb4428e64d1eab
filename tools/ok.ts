// `npm run ok`: the gate that people, hooks and CI share.
import { runGate } from "./gate.ts";

process.exitCode = runGate() ? 0 : 1;
