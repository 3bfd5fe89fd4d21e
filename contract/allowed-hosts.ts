const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request that came over loopback was meant for this machine. A foreign page can have its own name point here
 * (DNS rebinding), and is then to the browser one origin with what answers; what it cannot change is the name itself.
 * @param host the request's Host header
 * @param others further names, in lower case and without ports
 */
export function isAllowedHost(host: string | null | undefined, others: readonly string[] = []): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host?.toLowerCase() ?? '') ?? [];
  return LOOPBACK.has(name) || (name !== '' && others.includes(name));
}

/** Text of the answer 421, Misdirected Request. */
export const HOST_REFUSED = 'This address answers only to localhost and 127.0.0.1.\n';
