import { createFindFacts, type FactSources } from "@dataspace/access/facts/find-facts";
import { findReputation } from "@dataspace/access/facts/find-reputation";
import { isUnknownEName } from "@dataspace/clients/certified-keys";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { IsKnown } from "@dataspace/clients/known-enames";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { CertificatePlace, Listener } from "../matching/listener.ts";
import { askerOf, findOpenQuestion, type JudgedRecord, mayHear } from "../matching/may-hear.ts";
import { findStatedGroups, findStatedReadings } from "../store/find-facts-rows.ts";
import { type AccessOutcome, decideAccess, toOutcome, withStanding } from "./decide-access.ts";

/** A listener as it counts now; `isKnown` is false while nobody says whether its certificate still holds. */
export interface Standing {
  readonly listener: Listener;
  readonly isKnown: boolean;
}

/** Who may receive what now, with all that a decision rests on. */
export interface Hearing {
  /** The standing of a listener: a certificate that was revoked covers no domain any more. */
  readonly standingOf: (listener: Listener) => Promise<Standing>;
  /** Decides for records in their order. Never rejects because of facts that are not available. */
  readonly decide: (standing: Standing, records: readonly JudgedRecord[]) => Promise<readonly AccessOutcome[]>;
  /** Finds the groups among some eNames whose grants count for a listener. Refuses: the database's errors. */
  readonly groupsOf: (listener: Listener, enames: readonly EName[]) => Promise<ReadonlySet<EName>>;
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

/** Facts are found for so many records together, so that the requests of one decision are bounded. */
const RECORDS_AT_ONCE = 50;
const GROUPS_AT_ONCE = 10_000;

/**
 * Makes the decision over what a consumer may receive. Groups and signed readings are those that the events of their
 * vaults stated; a group of whose vault no event came withholds its grant and holds its denial.
 *
 * A decision is `unknown` where the certificate's status, the registry or a signer's keys are not available and their
 * answer could admit. Refuses: the database's errors. Source: decisions E4, E9, V23, V24, A1.
 */
export function createHearing({ database, statusOf, ...deps }: HearingDeps): Hearing {
  const sources: FactSources = {
    ...deps,
    hasSigned: async (signed) => {
      try {
        return await deps.hasSigned(signed);
      } catch (error) {
        // The registry's answer: nobody has this eName, so nobody signed with its keys.
        if (isUnknownEName(error)) return false;
        throw error;
      }
    },
    findGroups: (question) => findStatedGroups(database, question),
    findReadings: (subject, ontologies) => findStatedReadings(database, subject, ontologies),
  };
  const findFacts = createFindFacts(sources);
  async function decideSome(listener: Listener, records: readonly JudgedRecord[]): Promise<readonly AccessOutcome[]> {
    const questions = records.map((record) => findOpenQuestion(record, listener));
    if (questions.every((question) => question === undefined)) {
      return records.map((record) => toOutcome(mayHear(record, listener)));
    }
    const owners = Map.groupBy(questions.keys(), (index) => records[index]?.dsid);
    const policies = [...owners.values()].map((indexes) => indexes.flatMap((index) => questions[index]?.policy ?? []));
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
    return records.map((record, index) => decideAccess(record, listener, { policy, reputation: reputations[index] }));
  }
  return {
    standingOf: async (listener) => {
      const { evidence } = listener;
      if (evidence === null || evidence.status === null || evidence.certified.domains.length === 0)
        return { listener, isKnown: true };
      const status = await statusOf({ ...evidence.status, stapled: undefined });
      if (status !== "revoked") return { listener, isKnown: status === "valid" };
      const revoked = { ...evidence, certified: { ...evidence.certified, domains: [] } };
      return { listener: { ...listener, evidence: revoked }, isKnown: true };
    },
    decide: async ({ listener, isKnown }, records) => {
      const outcomes: AccessOutcome[] = [];
      for (let start = 0; start < records.length; start += RECORDS_AT_ONCE) {
        outcomes.push(...(await decideSome(listener, records.slice(start, start + RECORDS_AT_ONCE))));
      }
      return outcomes.map((outcome) => withStanding(outcome, isKnown));
    },
    groupsOf: async (listener, enames) => {
      const { ename, platform } = askerOf(listener);
      const granted = [ename, platform].filter((name) => name !== null);
      const groups = new Set<EName>();
      for (let start = 0; start < enames.length; start += GROUPS_AT_ONCE) {
        const asked = enames.slice(start, start + GROUPS_AT_ONCE);
        for (const row of await findStatedGroups(database, { enames: asked, granted, denied: [] })) {
          if (row.grants === true) groups.add(row.ename);
        }
      }
      return groups;
    },
  };
}
