import pino from "pino";
import pinoPretty from "pino-pretty";
import { errorToEntry } from "./error-entry.ts";

/** A log. */
export type Log = pino.Logger;

/** The service's name in the log, the lowest level, and the format. */
export interface LogConfig {
  readonly service: string;
  readonly level: pino.LevelWithSilent;
  /** Coloured lines for a person at a terminal instead of JSON. */
  readonly pretty: boolean;
}

/** Members that are never logged, at the top of a log entry or up to two levels down. */
const HIDDEN_MEMBERS = [
  "authorization",
  "cookie",
  "password",
  "payload",
  "secret",
  "session",
  "signature",
  "token",
  "variables",
  '["set-cookie"]',
] as const;

/**
 * Makes a service's log: one JSON object per line on stdout with time (ISO 8601), level, service and message.
 *
 * In: `destination` replaces stdout. Of an error only type, code, message and stack are written: a driver's error also
 * carries rows of data. Refuses: never. Source: decision P7.
 */
export function createLog(config: LogConfig, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level: config.level,
    base: { service: config.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: HIDDEN_MEMBERS.flatMap(withDepths), censor: "<redacted>" },
    serializers: { err: errorToEntry, error: errorToEntry },
  };
  if (config.pretty) {
    return pino(options, pinoPretty({ destination: destination ?? 1, sync: true, ignore: "service" }));
  }
  return destination === undefined ? pino(options) : pino(options, destination);
}

function withDepths(member: string): string[] {
  const dot = member.startsWith("[") ? "" : ".";
  return [member, `*${dot}${member}`, `*.*${dot}${member}`];
}
