/** A part of an illustration: an area in a soft colour, a line in the text's colour, or a line in the accent. */
export interface IllustrationPart {
  readonly tone: "area" | "line" | "accent";
  readonly d: string;
}

/** The drawings by name. */
export type IllustrationName = "records" | "requests" | "deliveries" | "search" | "offline" | "done";

/** Small drawings for states without content, each in a rectangle of 160 by 96. */
export const ILLUSTRATIONS: Readonly<Record<IllustrationName, readonly IllustrationPart[]>> = {
  /** No records yet: sheets in a folder. */
  records: [
    { tone: "area", d: "M36 32h32l8 10h48a6 6 0 0 1 6 6v32a6 6 0 0 1-6 6H36a6 6 0 0 1-6-6V38a6 6 0 0 1 6-6z" },
    { tone: "line", d: "M56 42V16a4 4 0 0 1 4-4h40a4 4 0 0 1 4 4v26M66 24h28M66 33h18" },
    { tone: "line", d: "M36 42h88a6 6 0 0 1 6 6v32a6 6 0 0 1-6 6H36a6 6 0 0 1-6-6V48a6 6 0 0 1 6-6z" },
    { tone: "accent", d: "M80 56v16M72 64h16" },
  ],
  /** Nothing was asked yet: a phone with a code. */
  requests: [
    { tone: "area", d: "M80 48m-40 0a40 40 0 1 0 80 0a40 40 0 1 0-80 0" },
    { tone: "line", d: "M64 10h32a6 6 0 0 1 6 6v64a6 6 0 0 1-6 6H64a6 6 0 0 1-6-6V16a6 6 0 0 1 6-6zM76 17h8" },
    { tone: "line", d: "M68 30h9v9h-9zM83 30h9v9h-9zM68 45h9v9h-9z" },
    { tone: "accent", d: "M70 70l7 6 14-14" },
  ],
  /** Nothing was delivered yet: a letter on its way. */
  deliveries: [
    { tone: "area", d: "M62 26h56a6 6 0 0 1 6 6v36a6 6 0 0 1-6 6H62a6 6 0 0 1-6-6V32a6 6 0 0 1 6-6z" },
    {
      tone: "line",
      d: "M62 26h56a6 6 0 0 1 6 6v36a6 6 0 0 1-6 6H62a6 6 0 0 1-6-6V32a6 6 0 0 1 6-6zM57 31l33 23 33-23",
    },
    { tone: "accent", d: "M20 40h24M30 51h14M14 62h30" },
  ],
  /** A search without a result: a magnifying glass. */
  search: [
    { tone: "area", d: "M74 44m-28 0a28 28 0 1 0 56 0a28 28 0 1 0-56 0" },
    { tone: "line", d: "M74 44m-28 0a28 28 0 1 0 56 0a28 28 0 1 0-56 0M95 64l20 20" },
    { tone: "accent", d: "M64 38h20M64 48h12" },
  ],
  /** A service that does not answer: a plug out of its socket. */
  offline: [
    { tone: "area", d: "M98 30h20a18 18 0 0 1 0 36H98z" },
    {
      tone: "line",
      d: "M62 30H42a18 18 0 0 0 0 36h20zM62 40h10M62 56h10M24 48H8M98 30h20a18 18 0 0 1 0 36H98zM136 48h16",
    },
    { tone: "accent", d: "M80 16v12M80 68v12M68 20l5 8M92 20l-5 8" },
  ],
  /** All is done: a check in a circle. */
  done: [
    { tone: "area", d: "M80 48m-34 0a34 34 0 1 0 68 0a34 34 0 1 0-68 0" },
    { tone: "line", d: "M80 48m-34 0a34 34 0 1 0 68 0a34 34 0 1 0-68 0M28 22l6 6M132 22l-6 6M22 62h8M130 62h8" },
    { tone: "accent", d: "M64 49l11 11 22-24" },
  ],
};
