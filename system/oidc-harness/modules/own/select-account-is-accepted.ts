import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { collectCode, startLogin } from "../../log-in.ts";

/** prompt=consent and prompt=select_account, which brokers send, are accepted. */
export const selectAccountIsAccepted: HarnessModule = {
  name: "select-account-is-accepted",
  plan: "Own checks",
  checks: "prompt=consent and prompt=select_account, which brokers send, are accepted",
  run: async (target) => {
    for (const prompt of ["consent", "select_account"]) {
      const attempt = await startLogin(target, { parameters: { prompt } });
      await collectCode(target, attempt);
    }
    return PASSED;
  },
};
