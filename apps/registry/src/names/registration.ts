import type { EName } from "@dataspace/protocol/ename";

/** A registration of an eName: the address of its vault and the vault instance. */
export interface Registration {
  readonly id: number;
  readonly ename: EName;
  readonly uri: string;
  readonly vault: string;
}
