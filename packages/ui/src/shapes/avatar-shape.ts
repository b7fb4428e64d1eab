/** The drawing of an avatar: filled paths on a background, in a square of 40 by 40. Colours are CSS colours. */
export interface AvatarShape {
  readonly background: string;
  readonly tiles: readonly { readonly d: string; readonly fill: string }[];
}

const TILE = 20;
const HUES = [18, 48, 78, 128, 160, 195, 230, 262, 295, 340];

/** Each tile's shape, drawn in a square of 20 by 20 from its upper left corner. */
const SHAPES = [
  `h${TILE}a${TILE} ${TILE} 0 0 1-${TILE} ${TILE}z`,
  `a${TILE} ${TILE} 0 0 0 ${TILE} ${TILE}v-${TILE}z`,
  `m${TILE} ${TILE}h-${TILE}a${TILE} ${TILE} 0 0 1 ${TILE}-${TILE}z`,
  `v${TILE}h${TILE}a${TILE} ${TILE} 0 0 0-${TILE}-${TILE}z`,
  `m10 2a8 8 0 1 1 0 16a8 8 0 1 1 0-16z`,
  `h${TILE}l-${TILE} ${TILE}z`,
];

/**
 * Derives an avatar from a text, such as an eName: the same text always has the same avatar. It is decoration: two
 * people can share one, so nothing may rest on it. Refuses: never.
 */
export function avatarShape(seed: string): AvatarShape {
  const next = createDraws(seed);
  const hue = pick(HUES, next());
  const other = pick(HUES, next());
  const fills = [
    `oklch(66% 0.13 ${hue})`,
    `oklch(48% 0.12 ${hue})`,
    `oklch(80% 0.1 ${other})`,
    `oklch(97% 0.02 ${hue})`,
  ];
  const tiles = [0, 1, 2, 3].map((place) => ({
    d: `M${(place % 2) * TILE} ${Math.floor(place / 2) * TILE}${pick(SHAPES, next())}`,
    fill: pick(fills, next() + place),
  }));
  return { background: `oklch(88% 0.06 ${hue})`, tiles };
}

function pick<Item>(items: readonly Item[], draw: number): Item {
  return items[draw % items.length] as Item;
}

/** Numbers from a text: FNV-1a, continued with the multiplier of its own step. */
function createDraws(seed: string): () => number {
  const step = (state: number, value: number): number => Math.imul(state ^ value, 0x01000193) >>> 0;
  let state = 0x811c9dc5;
  for (let at = 0; at < seed.length; at += 1) state = step(state, seed.charCodeAt(at));
  return () => {
    state = step(state ^ (state >>> 15), 0x9e);
    return state >>> 8;
  };
}
