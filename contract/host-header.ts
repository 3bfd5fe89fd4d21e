const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request over loopback was addressed to this machine. A foreign page can let its host name resolve
 * to this machine (DNS rebinding); then the browser lets the page read the responses. Only the Host header
 * shows the foreign name.
 * @param host the request's Host header
 * @param others further allowed names, in lower case and without ports
 */
export function isAllowedHost(host: string | null | undefined, others: readonly string[] = []): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host?.toLowerCase() ?? '') ?? [];
  return LOOPBACK.has(name) || (name !== '' && others.includes(name));
}

/** Text of the response 421 Misdirected Request. */
export const HOST_REFUSED_TEXT = 'This address answers only to localhost and 127.0.0.1.\n';
