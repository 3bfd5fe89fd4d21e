/** The only cookie that authenticates a user. */
export const SESSION_COOKIE = '__Host-session';

/** Whether a text is 256 random bits in base64url, as in all our token cookies. */
export const isTokenFormat = (text: string): boolean => /^[\w-]{43}$/.test(text);

/**
 * The session token in a Cookie header; undefined for anything that cannot be a token. Browsers send one
 * cookie of this name; if there are two, neither is trusted.
 */
export function sessionTokenFromCookie(cookieHeader: string | null | undefined): string | undefined {
  const cookies = (cookieHeader ?? '').split(';').map((cookie) => cookie.trim());
  const [value, another] = cookies.filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  const token = another === undefined ? value?.slice(SESSION_COOKIE.length + 1) : undefined;
  return token !== undefined && isTokenFormat(token) ? token : undefined;
}
