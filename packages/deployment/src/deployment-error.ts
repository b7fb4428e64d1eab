/** Every way in which a step of a deployment is refused or fails: one closed table. */
const DEPLOYMENT_ERRORS = {
  ALREADY_THERE: "The directory has a deployment already.",
  STEP_MISSING: "An earlier step is not done.",
  STATE_DAMAGED: "A file of the directory cannot be read.",
  INVALID_INPUT: "A file or value of the command line cannot be read.",
  INVALID_RELEASE: "The description of the release is not complete, or a member of it is malformed.",
  SIGNATURE_REFUSED: "The signature is not by a key that the registry certifies for the person.",
  SIGNATURE_MISSING: "No wallet answered in time.",
  UNKNOWN_ENAME: "The registry knows no vault of the eName.",
  AUTHORITY_REFUSED: "The authority refused the submission, or denied it.",
  NOT_DECIDED: "The authority has not decided in time.",
  CERTIFICATE_REVOKED: "The authority revoked the certificate of this release.",
  VAULT_REFUSED: "The vault refused the handshake's requests.",
  CHAIN_BROKEN: "A link of the chain does not hold, so the vault gave no session.",
  UNAVAILABLE: "Another party did not answer as it should.",
} as const;

/** A code of that table. */
export type DeploymentErrorCode = keyof typeof DEPLOYMENT_ERRORS;

/**
 * A step of a deployment that was not done.
 *
 * In: `message` is one sentence that says what to do. Source: decision V2 (one closed table of codes).
 */
export class DeploymentError extends Error {
  override readonly name = "DeploymentError";
  readonly code: DeploymentErrorCode;

  constructor(code: DeploymentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
