import { createFindFacts, type FactSources } from "@dataspace/access/facts/find-facts";
import { findReputation } from "@dataspace/access/facts/find-reputation";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { IsKnown } from "@dataspace/clients/known-enames";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { CertificatePlace, Listener } from "../matching/listener.ts";
import { askerOf, findOpenQuestion, type JudgedRecord, mayHear } from "../matching/may-hear.ts";
import { findStatedGroups, findStatedReadings } from "../store/find-facts-rows.ts";

/** Who may receive what now, with all that a decision rests on. Never rejects because of facts that are not available. */
export interface Hearing {
  /** The listener as it counts now: the certificate of a platform with evidence must still hold. */
  readonly standingOf: (listener: Listener) => Promise<Listener>;
  /** Decides for records in their order; `listener` is as `standingOf` gave it. */
  readonly decide: (listener: Listener, records: readonly JudgedRecord[]) => Promise<readonly boolean[]>;
}

/**
 * The dependencies. `isKnown` asks the registry whether an eName has a vault; `statusOf` asks the authority whether a
 * certificate holds.
 */
export interface HearingDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly hasSigned: HasSigned;
  readonly isKnown: IsKnown;
  readonly statusOf: (
    question: CertificatePlace & { readonly stapled: undefined },
  ) => Promise<"valid" | "revoked" | "unavailable">;
}

/**
 * Makes the decision over what a consumer may receive. Groups and signed readings are those that the events of their
 * vaults stated; a group of whose vault no event came withholds its grant and holds its denial.
 *
 * A certificate that was revoked, or whose status is not available, covers no domain. Refuses: the database's errors.
 * Source: decisions E4, E9, V23, V24, A1.
 */
export function createHearing({ database, statusOf, ...deps }: HearingDeps): Hearing {
  const sources: FactSources = {
    ...deps,
    findGroups: (question) => findStatedGroups(database, question),
    findReadings: (subject, ontologies) => findStatedReadings(database, subject, ontologies),
  };
  const findFacts = createFindFacts(sources);
  return {
    standingOf: async (listener) => {
      const { evidence } = listener;
      if (evidence === null || evidence.status === null || evidence.certified.domains.length === 0) return listener;
      if ((await statusOf({ ...evidence.status, stapled: undefined })) === "valid") return listener;
      return { ...listener, evidence: { ...evidence, certified: { ...evidence.certified, domains: [] } } };
    },
    decide: async (listener, records) => {
      const questions = records.map((record) => findOpenQuestion(record, listener));
      if (questions.every((question) => question === undefined)) {
        return records.map((record) => mayHear(record, listener));
      }
      const policies = questions.flatMap((question) => question?.policy ?? []);
      const [policy, reputations] = await Promise.all([
        findFacts(askerOf(listener), policies),
        Promise.all(
          records.map(({ terms }, index) =>
            questions[index]?.wantsReputation === true && listener.evidence !== null
              ? findReputation(sources, terms, listener.evidence.platform)
              : undefined,
          ),
        ),
      ]);
      return records.map((record, index) => mayHear(record, listener, { policy, reputation: reputations[index] }));
    },
  };
}
