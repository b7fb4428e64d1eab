import type { EName } from "@dataspace/protocol/ename";

/**
 * The properties of a consumer that decide what it may receive.
 *
 * `ename` is the eName that it proved; `platform` the platform that it is, once it counts as one. `isPlatform`: legacy
 * records go to it as to every platform. `isDev` marks the development stack's own consumer.
 *
 * Source: decisions E4, E9.
 */
export interface Listener {
  readonly ename: EName | null;
  readonly platform: string | null;
  readonly isPlatform: boolean;
  readonly isDev: boolean;
}
