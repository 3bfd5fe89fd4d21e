import { LEVELS, type SecureLevel } from '#contract/access-levels';

type Person = { email: string; name: string; univId: string };

const people: Record<SecureLevel, Person> = {
  1: { email: 'admin@lab.test', name: '한가람', univId: '20100001' },
  3: { email: 'account@lab.test', name: '오다솜', univId: '20150002' },
  5: { email: 'member@lab.test', name: '최나래', univId: '202212345' },
  8: { email: 'university@lab.test', name: '정마루', univId: '202312346' },
  10: { email: 'guest@lab.test', name: '송바다', univId: '202412347' },
};

/** The accounts that the local run creates: one for each access level. */
export const accounts = LEVELS.map((secureLevel) => {
  const { email, name, univId } = people[secureLevel];
  return { email, name, univId, secureLevel };
});

/** A person who has no student number, and is no user of the portal until the first sign-in. */
export const newcomer = { email: 'new@lab.test', name: '류새봄' };

/** The account id (`sub`) for an email address. It is the same in every run. */
export async function accountSubject(email: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(email.toLowerCase()));
  return BigInt(`0x1${Array.from(new Uint8Array(digest, 0, 8), hexByte).join('')}`).toString();
}

const hexByte = (byte: number) => byte.toString(16).padStart(2, '0');

export function accountName(email: string): string {
  const known = [...accounts, newcomer].find((account) => account.email === email);
  return known?.name ?? email.slice(0, email.indexOf('@'));
}
