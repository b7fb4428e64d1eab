import { textToBaseAddress } from "@dataspace/protocol/base-address";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { limitAddresses } from "@dataspace/service-kit/http/rate-limits";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Secret } from "@dataspace/service-kit/secret";
import { registryRefusal } from "../errors.ts";
import type { PlatformRows } from "../store/platform-rows.ts";
import type { RegistryTokens } from "../tokens/registry-tokens.ts";
import { type Members, readEName, readMembers, readText } from "./read-input.ts";
import { requireSharedSecret } from "./shared-secret.ts";
import type { FastifyInstance } from "fastify";

interface TokensDoorDeps {
  readonly clock: Clock;
  readonly tokens: RegistryTokens;
  readonly platforms: PlatformRows;
}

/** Who may request certificates, and whether legacy platform tokens are still issued. */
export interface TokensDoorConfig {
  readonly sharedSecret: Secret;
  readonly legacyMint: boolean;
  readonly limits: { readonly anonymous: number };
}

/**
 * Serves the tokens: `GET /entropy` and `POST /platforms/certification` for everybody, `POST /key-binding-certificate`
 * for holders of the shared secret. `GET /platforms` lists the addresses for which legacy tokens were issued.
 *
 * Refuses: BAD_REQUEST, INVALID_PUBLIC_KEY, UNAUTHENTICATED, LEGACY_TOKENS_DISABLED, RATE_LIMITED.
 * Source: S1 "Key binding certificate"; S3 "Registry calls used by the adapter and verifiers"; decisions I7, V21, X2.
 */
export function addTokensDoor(app: FastifyInstance, deps: TokensDoorDeps, config: TokensDoorConfig): void {
  app.register((open, _options, done) => {
    limitAddresses(open, { name: "anonymous", requests: config.limits.anonymous, windowSeconds: 60 });
    open.get("/entropy", async (_request, reply) => {
      reply.header("cache-control", "no-store");
      return { token: await deps.tokens.entropy() };
    });
    addPlatformCertification(open, deps, config);
    done();
  });
  app.register((guarded, _options, done) => {
    guarded.addHook("onRequest", requireSharedSecret(config.sharedSecret));
    guarded.post("/key-binding-certificate", async (request) => {
      const members = readMembers(request.body);
      const binding = { ename: readEName(members, "ename"), publicKey: readPublicKey(members) };
      return { token: await deps.tokens.keyBindingCertificate(binding) };
    });
    done();
  });
  app.get("/platforms", async () => deps.platforms.list());
}

function addPlatformCertification(app: FastifyInstance, deps: TokensDoorDeps, config: TokensDoorConfig): void {
  app.post("/platforms/certification", async (request) => {
    if (!config.legacyMint) {
      throw registryRefusal(
        "LEGACY_TOKENS_DISABLED",
        "This registry no longer issues platform tokens; prove the deployment to the vault at /pp-auth/challenge.",
      );
    }
    const platform = readText(readMembers(request.body), "platform");
    const address = textToBaseAddress(platform);
    if (address !== undefined) await deps.platforms.add(address, deps.clock.nowMs());
    return { token: await deps.tokens.platformToken(platform) };
  });
}

// The text is certified as it was sent: wallets compare it with their own spelling of the key.
function readPublicKey(members: Members): string {
  const text = readText(members, "publicKey");
  try {
    if (text.startsWith("z")) {
      decodePublicKey(text);
      return text;
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  throw registryRefusal("INVALID_PUBLIC_KEY", "Give publicKey as multibase text that starts with z, of a P-256 key.");
}
