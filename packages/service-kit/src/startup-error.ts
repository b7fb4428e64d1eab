/**
 * A fault that prevents a service from starting and that a person can fix. The message names the setting at fault and
 * says what to do. `exitCode` follows sysexits: 78 a setting (EX_CONFIG), 75 already running (EX_TEMPFAIL).
 *
 * Source: decisions P6; issue "one clear message naming the setting, exit code 78 (75 for already running)".
 */
export class StartupError extends Error {
  override readonly name = "StartupError";
  readonly exitCode: 75 | 78;

  constructor(message: string, exitCode: 75 | 78 = 78) {
    super(message);
    this.exitCode = exitCode;
  }
}
