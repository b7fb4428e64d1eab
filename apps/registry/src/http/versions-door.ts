import { type EName, parseEName } from "@dataspace/protocol/ename";
import { isVersion, versionToEName } from "@dataspace/protocol/version-ename";
import { hasBearerSecret, presentedBearer } from "@dataspace/service-kit/http/bearer-secret";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Secret } from "@dataspace/service-kit/secret";
import { registryRefusal } from "../errors.ts";
import type { SoftwareVersion } from "../names/software-version.ts";
import type { SoftwareVersionRows } from "../store/software-version-rows.ts";
import type { PlatformOfToken } from "../tokens/verify-platform-token.ts";
import { type Members, readEName, readMembers, readText } from "./read-input.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

interface VersionsDoorDeps {
  readonly clock: Clock;
  readonly versions: SoftwareVersionRows;
  readonly platformOfToken: PlatformOfToken;
}

/** Who may record releases: holders of the secret, and of a legacy platform token while these are issued. */
interface VersionsDoorConfig {
  readonly sharedSecret: Secret;
  readonly legacyMint: boolean;
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/**
 * Serves the releases of platforms: `POST /records/software-versions` records one, and `.../preview` computes its eName.
 *
 * A legacy token proves no platform, so that a record made by it is only asserted: a holder of the secret replaces it. A
 * token that names an eName records releases of that platform alone.
 * Refuses: BAD_REQUEST, UNAUTHENTICATED, VERSION_BOUND. Source: decisions A6, X2.
 */
export function addVersionsDoor(
  app: FastifyInstance,
  { clock, versions, platformOfToken }: VersionsDoorDeps,
  { sharedSecret, legacyMint }: VersionsDoorConfig,
): void {
  app.register((guarded, _options, done) => {
    const platformOf = new WeakMap<FastifyRequest, string>();
    const authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (hasBearerSecret(request, sharedSecret)) return;
      const token = legacyMint ? presentedBearer(request) : undefined;
      const platform = token === undefined ? undefined : await platformOfToken(token);
      if (platform !== undefined) {
        platformOf.set(request, platform);
        return;
      }
      reply.header("www-authenticate", "Bearer");
      throw registryRefusal("UNAUTHENTICATED", "Send the registry's shared secret as Authorization: Bearer <secret>.");
    };
    guarded.addHook("onRequest", authenticate);
    // Again when the body has arrived: a token may expire while its sender holds the body back. Source: decision V26.
    guarded.addHook("preHandler", authenticate);
    guarded.post("/records/software-versions/preview", async (request) => {
      const { ename } = readRelease(readMembers(request.body));
      return { kind: "software_version", ename };
    });
    guarded.post("/records/software-versions", async (request, reply) => {
      const members = readMembers(request.body);
      const platform = platformOf.get(request);
      const release = readRelease(members);
      if (platform !== undefined && isOther(platform, release.platformEname)) {
        const message = `This token is of ${platform}; it records no release of another platform.`;
        throw registryRefusal("UNAUTHENTICATED", message);
      }
      const wanted = {
        ...release,
        asserted: platform !== undefined,
        releaseTag: readText(members, "releaseTag"),
        commitSha: readCommit(members),
      };
      const { recorded, added } = await versions.add(wanted, clock.nowMs());
      if (recorded.releaseTag !== wanted.releaseTag || recorded.commitSha !== wanted.commitSha) {
        throw registryRefusal(
          "VERSION_BOUND",
          `Version ${wanted.version} is ${recorded.releaseTag} at ${recorded.commitSha}. Record another version.`,
        );
      }
      return reply.code(added ? 201 : 200).send(showVersion(recorded));
    });
    done();
  });
}

/** Writes a release as `/resolve` and `/records/software-versions` answer it. Refuses: never. Source: decision X2. */
export function showVersion(version: SoftwareVersion): object {
  return { kind: "software_version", ...version };
}

// A legacy token may name a platform by any text; where that text is an eName, it must be this one.
function isOther(platform: string, platformEname: EName): boolean {
  try {
    return parseEName(platform) !== platformEname;
  } catch {
    return false;
  }
}

function readRelease(members: Members): Pick<SoftwareVersion, "ename" | "platformEname" | "version"> {
  const platformEname = readEName(members, "platformEname");
  const version = members["version"];
  if (isVersion(version)) return { ename: versionToEName(platformEname, version), platformEname, version };
  throw registryRefusal("BAD_REQUEST", "Give version as 1 to 64 of the characters 0-9 A-Z a-z . + _ -");
}

function readCommit(members: Members): string {
  const commitSha = readText(members, "commitSha").toLowerCase();
  if (COMMIT.test(commitSha)) return commitSha;
  throw registryRefusal("BAD_REQUEST", "Give commitSha as 40 to 64 hexadecimal digits.");
}
