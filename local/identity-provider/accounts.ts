import type { SecureLevel } from '#contract/access-levels';

/** A made-up person of the local run. */
export type Account = { email: string; name: string; secureLevel: SecureLevel; univId: string };

/** Accounts that the local run creates, one for each level. */
export const accounts: Account[] = [
  { email: 'admin@lab.test', name: '한가람', secureLevel: 1, univId: '20100001' },
  { email: 'account@lab.test', name: '오다솜', secureLevel: 3, univId: '20150002' },
  { email: 'member@lab.test', name: '최나래', secureLevel: 5, univId: '202212345' },
  { email: 'university@lab.test', name: '정마루', secureLevel: 8, univId: '202312346' },
  { email: 'guest@lab.test', name: '송바다', secureLevel: 10, univId: '202412347' },
];

/** Signs in as a newcomer: has no student number and no user until then. */
export const newcomer = { email: 'new@lab.test', name: '류새봄' };

/** The subject under which the provider knows an email: the same in every run. */
export async function subjectOf(email: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(email.toLowerCase()));
  return BigInt(`0x1${Array.from(new Uint8Array(digest, 0, 8), hexByte).join('')}`).toString();
}

const hexByte = (byte: number) => byte.toString(16).padStart(2, '0');

/** The name that a sign-in without one of its own gets. */
export function nameOf(email: string): string {
  const known = [...accounts, newcomer].find((account) => account.email === email);
  return known?.name ?? email.slice(0, email.indexOf('@'));
}
