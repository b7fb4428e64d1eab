/**
 * The public verification code: only the development stack's provisioner accepts it, for any number of vaults. Source:
 * decision V17.
 */
export const DEMO_VERIFICATION_CODE = "d66b7138-538a-465f-a6ce-f6985854c3f4";
