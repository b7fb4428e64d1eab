/** An effect of a request that its sender may not have intended; `id` is the MetaEnvelope's. Source: decision V22. */
export interface Warning {
  readonly code: "OWNER_LOCKED_OUT";
  readonly id: string;
  readonly message: string;
}
