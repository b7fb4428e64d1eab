const DOMAIN = /^[a-z][a-z0-9-]{0,31}$/;
const MAX_DOMAINS = 32;

/** Checks for a list of at most 32 distinct domains. Refuses: never. Source: decision A1. */
export function isDomainList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_DOMAINS || new Set(value).size !== value.length) return false;
  return value.every((domain) => typeof domain === "string" && DOMAIN.test(domain));
}
