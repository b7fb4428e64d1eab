const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;
const LABELS = /^[\w-]+(?:\.[\w-]+)*$/;

/**
 * Checks whether a host name is this machine's: `localhost`, a name below it, or a loopback address.
 *
 * In: a host without port; an IPv6 address with or without brackets. Refuses: never. Source: decisions I10, V20; RFC
 * 6761 section 6.3.
 */
export function isLoopbackHost(host: string): boolean {
  const suffix = ".localhost";
  return LOOPBACK.test(host) || (host.endsWith(suffix) && LABELS.test(host.slice(0, -suffix.length)));
}
