import type { ShellVariable } from "./api.ts";

/** The eName of the first demo person of a development stack. */
export const OWNER: ShellVariable = {
  name: "OWNER",
  command: "npm run -s dataspace -- people | head -1 | cut -d' ' -f1",
};
