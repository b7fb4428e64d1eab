// `npm run ok`: the one gate that people, hooks and CI share.
import { runGate } from "./gate.ts";

process.exitCode = runGate() ? 0 : 1;
