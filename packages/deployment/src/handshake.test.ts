import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createTestPlatform } from "@dataspace/platform-auth/testing/test-platform";
import { parseEName } from "@dataspace/protocol/ename";
import { createDeployment } from "./create-deployment.ts";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { performHandshake } from "./handshake.ts";
import { openDeployment } from "./open-deployment.ts";
import { openVault } from "./open-vault.ts";
import { parseRelease } from "./release.ts";

const OWNER = parseEName("@44444444-4444-4444-8444-444444444444");
const OTHER = "@99999999-9999-4999-8999-999999999999";
const VAULT = "http://vault.test";
const AUTHORITY = "http://authority.test";
const clock = { nowMs: Date.now };

type Answer = (body: unknown, headers: Headers) => object | Response;

/** A deployment with its certificate, and a network that answers as a test says. `asked` lists the paths in order. */
async function withDeployment(
  answers: Readonly<Record<string, Answer>>,
  act: (deps: DeploymentDeps, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "deployment-handshake-"));
  const asked: string[] = [];
  const usual: Readonly<Record<string, Answer>> = {
    "/resolve": () => ({ kind: "vault", ename: OWNER, uri: VAULT, vault: "v" }),
  };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    const answer = ({ ...usual, ...answers }[pathname] ?? assert.fail(url))(body, new Headers(init.headers));
    return answer instanceof Response ? answer : Response.json(answer);
  };
  const deps = openDeployment(directory, { fetch, clock, verifyEcdsa: () => false });
  try {
    const status = { idx: 1, uri: `${AUTHORITY}/status/1` };
    const { evidence } = await createTestPlatform({ issuer: AUTHORITY, nowMs: clock.nowMs(), status });
    const { version, releaseTag, commitSha, platformEname: platformEName } = evidence;
    const { platformName, repository, repositoryId, domains } = evidence.submissionProof.statement;
    const described = {
      platformEName,
      platformName,
      repositoryId,
      repository,
      releaseTag,
      version,
      commitSha,
      domains,
    };
    await createDeployment(deps.state, {
      release: parseRelease(described),
      deploymentName: "eu-1",
      environment: "test",
      registryUrl: "http://registry.test",
      authorityUrl: AUTHORITY,
    });
    await deps.state.put("evidence", evidence);
    await act(deps, asked);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function challenge(change: object = {}): object {
  const times = {
    issuedAt: new Date(clock.nowMs()).toISOString(),
    expiresAt: new Date(clock.nowMs() + 120_000).toISOString(),
  };
  return { nonce: "n".repeat(43), audience: OWNER, ...times, ...change };
}

function report(token: string | undefined): object {
  const link = {
    id: "possession",
    title: "t",
    proves: "p",
    detail: "The nonce is unknown.",
    code: "challenge_unknown",
  };
  const session = token === undefined ? {} : { session: { access_token: token, token_type: "DPoP", expires_in: 600 } };
  return { ok: token !== undefined, links: [link], claim: null, failedAt: "possession", ...session };
}

test("a challenge of another owner, a long one and one that can be guessed are never signed [decision A1]", async () => {
  const late = new Date(clock.nowMs() + 400_000).toISOString();
  for (const change of [{ audience: OTHER }, { expiresAt: late }, { nonce: "short" }, { extra: 1 }]) {
    await withDeployment({ "/pp-auth/challenge": () => challenge(change) }, async (deps, asked) => {
      await assert.rejects(performHandshake(deps, { owner: OWNER }), { code: "VAULT_REFUSED" });
      assert.deepEqual(asked, ["/resolve", "/pp-auth/challenge"], "nothing is answered");
    });
  }
});

test("the evidence carries the newest status list, and goes without one while the authority does not answer", async () => {
  for (const isUp of [true, false]) {
    const stapled: unknown[] = [];
    const answers: Readonly<Record<string, Answer>> = {
      "/pp-auth/challenge": () => challenge(),
      "/status/1": () => new Response(isUp ? "a.b.c" : "", { status: isUp ? 200 : 503 }),
      "/pp-auth/verify": (body) => {
        stapled.push((body as { evidence: { statusToken?: string } }).evidence.statusToken);
        return report("dss_one");
      },
    };
    await withDeployment(answers, async (deps) => {
      assert.equal((await performHandshake(deps, { owner: OWNER })).ok, true);
      assert.equal((await deps.state.findSession(OWNER))?.accessToken, "dss_one");
    });
    assert.deepEqual(stapled, [isUp ? "a.b.c" : undefined]);
  }
});

test("a stored session serves until the vault refuses it; then one handshake opens another", async () => {
  let shaken = 0;
  const answers: Readonly<Record<string, Answer>> = {
    "/pp-auth/challenge": () => challenge(),
    "/status/1": () => new Response("a.b.c"),
    "/pp-auth/verify": () => report(`dss_${++shaken}`),
    "/graphql": (_body, headers) => {
      assert.ok(headers.has("dpop"));
      const isGood = headers.get("authorization") === "DPoP dss_2";
      return isGood
        ? { data: { metaEnvelopes: { totalCount: 3 } } }
        : Response.json({ error: { code: "INVALID_TOKEN", message: "The session has ended." } }, { status: 401 });
    },
  };
  await withDeployment(answers, async (deps) => {
    await performHandshake(deps, { owner: OWNER });
    const vault = await openVault(deps, OWNER);
    assert.equal(await vault.count(), 3);
    assert.equal(shaken, 2);
    const later = await openVault(deps, OWNER);
    assert.equal(await later.count(), 3, "another process takes the stored session");
    assert.equal(shaken, 2);
  });
});

test("a broken chain and answers that cannot be right are refused in a sentence, and store no session", async () => {
  const cases: readonly (readonly [Answer, string])[] = [
    [() => report(undefined), "CHAIN_BROKEN"],
    [() => [], "UNAVAILABLE"],
    [() => ({ ...report("dss_x"), links: [{ id: 7 }] }), "UNAVAILABLE"],
    [() => ({ ...report("dss_x"), claim: { level: "L3", version: "1", domains: "social" } }), "UNAVAILABLE"],
    [() => report("two words\r\nx-ename: @other"), "UNAVAILABLE"],
    [
      () => ({ ...report("dss_x"), session: { access_token: "a", token_type: "DPoP", expires_in: 1e300 } }),
      "UNAVAILABLE",
    ],
    [() => new Response("<html>"), "UNAVAILABLE"],
    [() => Response.json({ error: { code: "RATE_LIMITED", message: "Wait." } }, { status: 429 }), "VAULT_REFUSED"],
    [() => Response.json({}, { status: 503 }), "UNAVAILABLE"],
  ];
  for (const [verify, code] of cases) {
    const answers = {
      "/pp-auth/challenge": () => challenge(),
      "/status/1": () => new Response("a.b.c"),
      "/pp-auth/verify": verify,
    };
    await withDeployment(answers, async (deps) => {
      const vault = await openVault(deps, OWNER);
      await assert.rejects(vault.count(), (error: Error & { code: string }) => {
        const cause = (error.cause ?? error) as { code?: string };
        assert.equal(cause.code ?? error.code, code, error.message);
        return true;
      });
      assert.equal(await deps.state.findSession(OWNER), undefined);
    });
  }
});
