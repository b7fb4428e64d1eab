import type { EName } from "@dataspace/protocol/ename";

/** One release of a platform, under the eName that platform and version give. */
export interface SoftwareVersion {
  readonly id: number;
  readonly ename: EName;
  readonly platformEname: EName;
  readonly version: string;
  readonly releaseTag: string;
  /** 40 to 64 hexadecimal digits, lower case. */
  readonly commitSha: string;
}
