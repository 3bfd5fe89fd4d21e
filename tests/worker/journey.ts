import { api } from './support.ts';

/** Leaves for the provider, chooses an account there and returns what the browser would bring back. */
export async function travel(email: string): Promise<{ cookie: string; callback: URL; authorize: URL }> {
  const start = await api('/login/redirect');
  const authorize = new URL(start.headers.get('location') ?? '');
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const chosen = new URL(authorize);
  chosen.searchParams.set('email', email);
  const answer = await fetch(chosen, { redirect: 'manual' });
  return { cookie, authorize, callback: new URL(answer.headers.get('location') ?? 'https://nowhere.test') };
}

export const comeBack = (callback: URL, cookie: string, headers: Record<string, string> = {}) =>
  api(`/login/callback${callback.search}`, { headers: { cookie, ...headers } });
