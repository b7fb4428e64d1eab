/** Something that a request did and its sender may not have meant; `id` is the MetaEnvelope's. Source: decision V22. */
export interface Warning {
  readonly code: "OWNER_LOCKED_OUT";
  readonly id: string;
  readonly message: string;
}
