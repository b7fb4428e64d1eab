import type { FactSources } from "@dataspace/access/facts/find-facts";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { findGroups } from "../store/group-rows.ts";
import { findReadings } from "../store/reading-rows.ts";

/** The dependencies of the search for facts; `isKnown` asks the registry whether an eName has a vault anywhere. */
export interface PolicyFactsDeps extends Pick<FactSources, "isKnown"> {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly hasSigned: HasSigned;
}

/** Makes the sources of facts of a vault: groups and readings of all vaults in its database. Refuses: never. */
export function createFactSources({ database, ...deps }: PolicyFactsDeps): FactSources {
  return {
    ...deps,
    findGroups: (question) => findGroups(database, question),
    findReadings: (subject, ontologies) => findReadings(database, subject, ontologies),
  };
}
