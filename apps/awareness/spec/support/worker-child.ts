import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { startWorker } from "./real-delivery.ts";

// A worker in a process of its own, for tests that end it. In: the address of its database.
const limits = { maxConnections: 4, statementTimeoutMs: 10_000, connectTimeoutMs: 5_000 };
const url = process.argv[2] as string;
startWorker(openDatabase({ url, ...limits, applicationName: "worker-child" }, () => undefined));
