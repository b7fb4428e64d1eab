import { isVersion, versionToEName } from "@dataspace/protocol/version-ename";
import { hasBearerSecret, presentedBearer } from "@dataspace/service-kit/http/bearer-secret";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Secret } from "@dataspace/service-kit/secret";
import { registryRefusal } from "../errors.ts";
import type { SoftwareVersion } from "../names/software-version.ts";
import type { SoftwareVersionRows } from "../store/software-version-rows.ts";
import type { IsPlatformToken } from "../tokens/verify-platform-token.ts";
import { type Members, readEName, readMembers, readText } from "./read-input.ts";
import type { FastifyInstance } from "fastify";

interface VersionsDoorDeps {
  readonly clock: Clock;
  readonly versions: SoftwareVersionRows;
  readonly isPlatformToken: IsPlatformToken;
}

/** Who may record releases: holders of the secret, and of a legacy platform token while these are issued. */
interface VersionsDoorConfig {
  readonly sharedSecret: Secret;
  readonly legacyMint: boolean;
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/**
 * Serves the releases of platforms: `POST /records/software-versions` records one for good, and `.../preview` computes its eName.
 *
 * Refuses: BAD_REQUEST, UNAUTHENTICATED, VERSION_BOUND. Source: decisions A6, X2.
 */
export function addVersionsDoor(
  app: FastifyInstance,
  { clock, versions, isPlatformToken }: VersionsDoorDeps,
  { sharedSecret, legacyMint }: VersionsDoorConfig,
): void {
  app.register((guarded, _options, done) => {
    guarded.addHook("onRequest", async (request, reply) => {
      if (hasBearerSecret(request, sharedSecret)) return;
      const token = legacyMint ? presentedBearer(request) : undefined;
      if (token !== undefined && (await isPlatformToken(token))) return;
      reply.header("www-authenticate", "Bearer");
      throw registryRefusal("UNAUTHENTICATED", "Send the registry's shared secret as Authorization: Bearer <secret>.");
    });
    guarded.post("/records/software-versions/preview", async (request) => {
      const { ename } = readRelease(readMembers(request.body));
      return { kind: "software_version", ename };
    });
    guarded.post("/records/software-versions", async (request, reply) => {
      const members = readMembers(request.body);
      const wanted = {
        ...readRelease(members),
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
