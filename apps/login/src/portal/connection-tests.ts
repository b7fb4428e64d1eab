import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";
import { createBoundedStore } from "../bounded-store.ts";
import type { LoginClient } from "../clients/client-rows.ts";
import { loginRefusal } from "../errors.ts";
import { type ConnectionTest, finishConnectionTest, lookAtTest, startConnectionTest } from "./connection-test.ts";
import { CONNECTION_TEST_TEXTS, STEP_TEXTS, TEST_FAULT_TEXTS } from "./connection-test-texts.ts";
import type { PortalSession } from "./portal-sessions.ts";

/** The tests that developers run, one for each session, in memory. */
export interface ConnectionTests {
  /** Starts a test and replaces the session's earlier one. Refuses: RATE_LIMITED while 200 tests run. */
  readonly start: (session: PortalSession, client: LoginClient, secret: string) => Promise<void>;
  /** Looks at the session's test of a client, and finishes it once its wallet has signed. */
  readonly look: (session: PortalSession, clientId: string) => Promise<ConnectionTest | undefined>;
  /** Forgets the session's test. */
  readonly end: (session: PortalSession) => void;
  readonly sweep: () => void;
}

interface Running {
  readonly clientId: string;
  readonly test: Promise<ConnectionTest>;
  /** Looking at a test does not extend it: the client's secret is in it. */
  readonly endsAtMs: number;
}

const MOST_TESTS = 200;
const LIFETIME_MS = 600_000;
const RETRY_AFTER_SECONDS = 300;
const FAULT_BY_STATE: Readonly<Record<string, string> & { readonly over: string }> = {
  failed: TEST_FAULT_TEXTS.walletRefused,
  expired: TEST_FAULT_TEXTS.expired,
  over: TEST_FAULT_TEXTS.over,
};

/** Makes the tests. A test and the secret in it are forgotten after 10 minutes. Refuses: as `start`. */
export function createConnectionTests(
  { clock, fetch }: { readonly clock: Clock; readonly fetch: Fetch },
  { issuer }: { readonly issuer: string },
): ConnectionTests {
  const tests = createBoundedStore<Running>({ clock }, { most: MOST_TESTS });
  const keep = ({ formToken }: PortalSession, running: Running): void => {
    if (!tests.set(formToken, running, running.endsAtMs - clock.nowMs())) {
      throw loginRefusal("RATE_LIMITED", CONNECTION_TEST_TEXTS.tooMany, RETRY_AFTER_SECONDS);
    }
  };
  const goOn = async (test: ConnectionTest): Promise<ConnectionTest> => {
    if (!("started" in test)) return test;
    const state = await lookAtTest(fetch, test.started);
    if (state === "pending" || state === "checking") return test;
    if (state !== "signed") {
      const fault = FAULT_BY_STATE[state] ?? FAULT_BY_STATE["over"];
      return { steps: [...test.steps, { name: STEP_TEXTS.wallet, fault }] };
    }
    return { steps: [...test.steps, ...(await finishConnectionTest(fetch, issuer, test.started))] };
  };
  return {
    start: async (session, client, secret) => {
      const redirectUri = client.redirectUris[0] ?? "";
      const test = startConnectionTest(fetch, { issuer, client, secret, redirectUri });
      keep(session, { clientId: client.clientId, test, endsAtMs: clock.nowMs() + LIFETIME_MS });
      await test;
    },
    look: async (session, clientId) => {
      const running = tests.get(session.formToken);
      if (running?.clientId !== clientId) return undefined;
      // One look at a time finishes the test: a code is exchanged once.
      const next = running.test.then(goOn);
      keep(session, { ...running, test: next });
      return next;
    },
    end: ({ formToken }) => tests.delete(formToken),
    sweep: tests.sweep,
  };
}
