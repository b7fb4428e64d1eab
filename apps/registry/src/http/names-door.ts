import type { Clock } from "@dataspace/service-kit/clock";
import type { Secret } from "@dataspace/service-kit/secret";
import { registryRefusal } from "../errors.ts";
import { idToCursor, readListPage } from "../names/list-page.ts";
import type { Registration } from "../names/registration.ts";
import type { RegistrationRows } from "../store/registration-rows.ts";
import type { SoftwareVersionRows } from "../store/software-version-rows.ts";
import { type Members, readEName, readMembers } from "./read-input.ts";
import { readRegistration } from "./registration-input.ts";
import { requireSharedSecret } from "./shared-secret.ts";
import { showVersion } from "./versions-door.ts";
import type { FastifyInstance } from "fastify";

interface NamesDoorDeps {
  readonly clock: Clock;
  readonly registrations: RegistrationRows;
  readonly versions: Pick<SoftwareVersionRows, "find">;
}

/**
 * Serves the map from eName to vault or release: `GET /resolve` and `GET /list` for everybody, `POST` and `DELETE /register`
 * for holders of the shared secret.
 *
 * Refuses: BAD_REQUEST, BAD_CURSOR, UNAUTHENTICATED, UNKNOWN_ENAME, ENAME_TAKEN.
 * Source: S3 "Registry calls used by the adapter and verifiers"; S1 "Limits" (one vault per eName); decision X2.
 */
export function addNamesDoor(
  app: FastifyInstance,
  deps: NamesDoorDeps,
  config: { readonly sharedSecret: Secret },
): void {
  addReading(app, deps);
  app.register((guarded, _options, done) => {
    guarded.addHook("onRequest", requireSharedSecret(config.sharedSecret));
    addWriting(guarded, deps);
    done();
  });
}

function addReading(app: FastifyInstance, { registrations, versions }: NamesDoorDeps): void {
  app.get("/resolve", async (request) => {
    const ename = readEName(request.query as Members, "dsid");
    const found = await registrations.find(ename);
    if (found !== undefined) return { kind: "vault", ...registrationToAddress(found) };
    const version = await versions.find(ename);
    if (version !== undefined) return showVersion(version);
    throw unknownEName(ename);
  });
  app.get("/list", async (request, reply) => {
    const page = readListPage(request.query as Members);
    const found = await registrations.list({ ...page, limit: page.limit + 1 });
    const shown = found.slice(0, page.limit);
    const last = shown.at(-1);
    if (last !== undefined && found.length > shown.length) {
      reply.header("link", `</list?limit=${page.limit}&cursor=${idToCursor(last.id)}>; rel="next"`);
      reply.header("access-control-expose-headers", "Link");
    }
    return shown.map(registrationToAddress);
  });
}

function addWriting(app: FastifyInstance, { clock, registrations }: NamesDoorDeps): void {
  app.post("/register", async (request, reply) => {
    const wanted = readRegistration(readMembers(request.body));
    const { registration, added } = await registrations.add(wanted, clock.nowMs());
    if (registration.uri !== wanted.uri || registration.vault !== wanted.vault) {
      throw registryRefusal("ENAME_TAKEN", `${wanted.ename} has another vault; change it with PATCH /register.`);
    }
    return reply.code(added ? 201 : 200).send(registration);
  });
  app.delete("/register", async (request) => {
    const ename = readEName(request.query as Members, "ename");
    if (!(await registrations.remove(ename))) throw unknownEName(ename);
    return { success: true, message: `${ename} is no longer registered.` };
  });
}

// `originalUri` and `resolved` say that the address is the registered one, not replaced by a health check.
function registrationToAddress({ ename, uri, vault }: Registration): Record<string, unknown> {
  return { ename, uri, vault, originalUri: uri, resolved: false };
}

/** The refusal of an eName that is not registered. */
export function unknownEName(ename: string): Error {
  return registryRefusal("UNKNOWN_ENAME", `No vault is registered and no release is recorded for ${ename}.`);
}
