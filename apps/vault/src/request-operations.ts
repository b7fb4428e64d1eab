import { createHasSigned } from "@dataspace/clients/has-signed";
import { inSpan, type Span } from "@dataspace/service-kit/tracing/tracer";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { createGuard } from "./access/guard.ts";
import type { OutsideQuestions } from "./access/outside-questions.ts";
import { createVerifyOwnerPolicy } from "./access/verify-owner-policy.ts";
import { createVerifyDocumentSignature } from "./binding-documents/verify-document-signature.ts";
import type { RunPlace } from "./http/answer-once.ts";
import type { OperationDepsFor } from "./http/operation-deps-for.ts";
import type { AnonymousStore, OperationDeps } from "./operations/operation-deps.ts";
import type { ReadDeps } from "./operations/read-deps.ts";
import type { NewIds, OwnerStore, WriteDeps } from "./operations/write-deps.ts";

/** What decides over access and signatures. */
export type Decisions = OperationDeps["signatures"] & Pick<ReadDeps, "guard">;

/** Makes the decisions that ask other parties through the given questions. */
export type DecideWith = (questions: OutsideQuestions) => Decisions;

/** The dependencies of decisions. */
export interface DecisionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly newUuid: NewIds["newUuid"];
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
}

/** Makes the decisions over access and signatures. Source: decisions V13, V14, A2. */
export function createDecideWith(
  { verifyEcdsa, ...deps }: DecisionsDeps,
  config: Parameters<typeof createGuard>[1],
): DecideWith {
  return (questions) => {
    const hasSigned = createHasSigned({ ...deps, ...questions, verifyEcdsa });
    const asking = { ...deps, ...questions, hasSigned };
    return {
      guard: createGuard(asking, config),
      verifyOwnerPolicy: createVerifyOwnerPolicy(asking),
      verifyDocumentSignature: createVerifyDocumentSignature(asking),
    };
  };
}

/** The dependencies of the operations of all requests. `usual` decides where no transaction of a keyed request is open. */
export interface OperationsDeps {
  readonly usual: Decisions;
  readonly decideWith: DecideWith;
  readonly reads: Pick<ReadDeps, "loadMetaEnvelope" | "cursors">;
  readonly store: OwnerStore;
  readonly writes: Pick<WriteDeps, "ids" | "clock" | "announce">;
  readonly files: OperationDeps["files"];
}

/** The settings of operations. */
export interface OperationsConfig {
  readonly anonymousStore: AnonymousStore;
  readonly unpagedCap: number;
}

/** Makes the dependencies of operations, request by request. Source: decisions V20, V26. */
export function createOperationDepsFor(deps: OperationsDeps, config: OperationsConfig): OperationDepsFor {
  const { anonymousStore, unpagedCap } = config;
  return ({ budget, warn, place, span }) => {
    const { guard, ...signatures } = place === undefined ? deps.usual : deps.decideWith(place.questions);
    const store = traced(place === undefined ? deps.store : storeWithin(place, deps.store), span);
    return {
      reads: { ...deps.reads, database: store.database, guard, budget },
      writes: { ...deps.writes, guard, store, warn },
      files: place === undefined ? deps.files : { ...deps.files, uploads: place.uploads },
      signatures,
      anonymousStore,
      unpagedCap,
    };
  };
}

function traced(store: OwnerStore, span: Span | undefined): OwnerStore {
  if (span === undefined) return store;
  return {
    ...store,
    traceCommit: (commit) => {
      const child = span.startChild("commit", { kind: "client" });
      return inSpan(child, () => commit(child.traceparent));
    },
  };
}

function storeWithin({ database }: RunPlace, { withinQuota, traceCommit }: OwnerStore): OwnerStore {
  // The transaction holds the owner's lock already.
  return { database, withinQuota, traceCommit, underOwnerLock: (_owner, work) => database.transaction(work) };
}
