/** The permissions on a MetaEnvelope, as bits. Source: S1 "Access policy _acl". */
export const PERMISSIONS = { READ: 1, CREATE: 2, UPDATE: 4, DELETE: 8 } as const;

/** The name of one permission. */
export type Permission = keyof typeof PERMISSIONS;
