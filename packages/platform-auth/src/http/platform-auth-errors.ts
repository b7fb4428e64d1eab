/** The refusals of the two handshake endpoints, for the table of the service that serves them. Source: decision A1. */
export const PLATFORM_AUTH_ERRORS = {
  INVALID_REQUEST: { status: 400, when: "The body of a handshake call is not the JSON object that it must be." },
  AUDIENCE_NOT_SERVED: { status: 400, when: "A challenge is asked for another audience than this verifier's." },
  CHALLENGE_STORE_FULL: {
    status: 503,
    when: "As many challenges are outstanding as may be, for the owner or for the owner and the source address.",
  },
  HANDSHAKE_UNAVAILABLE: {
    status: 503,
    when: "The verifier trusts no certifying authority, so no handshake can hold.",
  },
} as const;
