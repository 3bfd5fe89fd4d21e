import { PASSWORD_PLACEHOLDER, PASSWORD_HASH_ROUNDS, mosquittoPasswordEntry } from '#contract/bridges';

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/**
 * Makes a board's password and an entry for the broker's password file. Only the board gets the password.
 * @throws Error on an insecure origin, where browsers have no cryptographic functions
 */
export async function newBoardPassword(): Promise<{ password: string; entry: string }> {
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const password = base64(random(24)).replaceAll('+', '-').replaceAll('/', '_');
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const salt = random(12);
  const derivation = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: PASSWORD_HASH_ROUNDS };
  const hash = new Uint8Array(await crypto.subtle.deriveBits(derivation, key, 512));
  return { password, entry: mosquittoPasswordEntry(base64(salt), base64(hash)) };
}

/** Inserts the password into the board's files. */
export const withPassword = <File extends { text: string }>(
  files: readonly File[],
  password: string,
): File[] => files.map((file) => ({ ...file, text: file.text.replaceAll(PASSWORD_PLACEHOLDER, password) }));
