// The words that the prose check refuses, each with what to write in its place. STYLE.md, "Words", gives the rules.

export type BannedWord = {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
};

/** Words and phrases refused in docs, comments, docstrings, messages, page texts and test names. */
export const bannedWords: readonly BannedWord[] = [
  { pattern: /\b(?:un|re)?told\b/i, instead: "notified, reported or stated" },
  { pattern: /\btells? of\b|\btelling of\b/i, instead: "reveals, describes or reports" },
  { pattern: /\btells? whether\b/i, instead: "returns whether" },
  { pattern: /\bkept\b/i, instead: "stored, cached, retained or held" },
  { pattern: /\b(?:hears?|heard|hearing) of\b|\bhears\b/i, instead: "receives or is notified of" },
  { pattern: /\bheed(?:s|ed|ing)?\b/i, instead: "obeys, applies or honours" },
  { pattern: /\bby (?:nobody's|its|his|their|anybody's) leave\b/i, instead: "who permits it" },
  { pattern: /\bwhose day is over\b|\bdays? of a delivery\b/i, instead: "expired, or lifetime" },
  { pattern: /\bis as if\b|\bare as if\b/i, instead: "has the same effect as" },
  { pattern: /\bof (?:theirs|his own|no account|no use|its making)\b/i, instead: "a plain possessive or adjective" },
  { pattern: /\bhand(?:s|ed|ing)? over\b|\bhanded on\b/i, instead: "sends, passes or transfers" },
  { pattern: /\bpour(?:s|ed|ing)\b/i, instead: "sends too much" },
  { pattern: /\b(?:makes?|leaves?|asks? for|enough) room\b|\bno room for\b/i, instead: "capacity, quota or space" },
  { pattern: /\bby (?:the )?\w+(?:'s|s') word\b|\bown word\b/i, instead: "as X states" },
  { pattern: /\bthe one (?:road|way|door)\b/i, instead: "the only function that" },
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) (?:a )?none\b|\bthat is none\b/i,
    instead: "is not one, or is missing",
  },
  {
    pattern: /(?<!\bthere )\bis no (?!longer|more|less|such|other|later|earlier|need)[a-z]+/i,
    instead: "is not a ...",
  },
  { pattern: /\bin vain\b/i, instead: "without success" },
  { pattern: /\basked for anew\b|\banew\b/i, instead: "again" },
  { pattern: /\bof its own accord\b|\bof itself\b/i, instead: "by itself, or automatically" },
  { pattern: /\b(?:vouches|vouch|vouched) for\b/i, instead: "certifies" },
  { pattern: /\bfor ever\b/i, instead: "forever, or permanently" },
  { pattern: /\bpeople to play with\b|\bfor the moment\b/i, instead: "demo people; for this run" },
  { pattern: /\bcomes? to nothing\b|\bcame to nothing\b/i, instead: "fails" },
  { pattern: /\bwhat (?:is|was) had\b|\bcan(?:not)? be had\b|\bcould not be had\b/i, instead: "is available" },
  { pattern: /\bmay they\b/i, instead: "whether the caller may" },
  { pattern: /\bthe (?:days?|life) of a\b/i, instead: "the lifetime of a" },
];

/** Words refused as a part of an identifier: `expiryReported`, `keptKeys`. */
export const bannedNames: ReadonlySet<string> = new Set([
  "told",
  "kept",
  "hears",
  "heard",
  "heed",
  "heeded",
  "poured",
  "deaf",
]);
