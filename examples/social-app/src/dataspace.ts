import type { Adapter } from "@dataspace/adapter/create-adapter";
import type { Report } from "@dataspace/adapter/sync/report";
import type { WebhookReceiver } from "@dataspace/receiver/webhook-receiver";

/** Where a data space is, and under which address the platform is reached. */
export interface DataspacePlace {
  readonly registryUrl: string;
  readonly awarenessUrl: string;
  readonly publicUrl: string;
  readonly onReport: (report: Report) => void;
  readonly onError: (error: unknown) => void;
}

/** A platform's connection to people's vaults. */
export interface Dataspace<Transaction> {
  readonly adapter: Adapter<Transaction>;
  /** The handler of `POST /api/webhook`. */
  readonly receive: WebhookReceiver;
  /** Reads the profile of somebody whose vault is older than this platform. Out: how many rows there are more. */
  readonly findProfile: (ename: string) => Promise<number>;
  /** Subscribes and catches up, once the platform listens. */
  readonly connect: () => Promise<void>;
}
