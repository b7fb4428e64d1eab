import type { MetaEnvelopeInput } from "@dataspace/vault/meta-envelopes/meta-envelope-input";

/** The two ontologies of all sample MetaEnvelopes. */
export const SAMPLE_ONTOLOGIES = [
  "550e8400-e29b-41d4-a716-446655440001",
  "550e8400-e29b-41d4-a716-446655440004",
] as const;

/** Words of sample texts; also the vocabulary of `loadRecords`. None of the terms that searches look for is among them. */
export const SAMPLE_WORDS = [
  "harbour",
  "morning",
  "quiet",
  "letter",
  "copper",
  "garden",
  "window",
  "signal",
  "river",
  "market",
  "evening",
  "paper",
  "stone",
  "bridge",
  "winter",
  "orange",
  "silver",
  "candle",
  "forest",
  "island",
  "summer",
  "mirror",
  "valley",
  "coffee",
  "travel",
  "number",
  "circle",
  "yellow",
  "branch",
  "friend",
  "corner",
  "simple",
] as const;

/** Words in the text of a sample. */
export const SAMPLE_TEXT_WORDS = 17;

/** Makes an input of six fields and about 250 bytes of JSON, different for each number. */
export function sampleInput(number: number): MetaEnvelopeInput {
  const word = (place: number) =>
    SAMPLE_WORDS[(number * 7 + place * (1 + (number % 5))) % SAMPLE_WORDS.length] as string;
  const words = Array.from({ length: SAMPLE_TEXT_WORDS }, (_, place) => word(place));
  return {
    ontology: SAMPLE_ONTOLOGIES[number % 2] as string,
    payload: {
      title: `${word(1)} ${word(2)} ${number}`,
      text: words.join(" "),
      author: `Person ${number % 97}`,
      likes: number % 1_000,
      public: number % 3 === 0,
      publishedAt: "2026-03-14T09:26:53.589Z",
    },
  };
}

/** Makes so many different inputs. */
export function sampleInputs(count: number): readonly MetaEnvelopeInput[] {
  return Array.from({ length: count }, (_, number) => sampleInput(number));
}
