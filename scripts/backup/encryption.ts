import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { closeSync, openSync, readSync } from 'node:fs';
import * as z from 'zod';

/* Encrypts archives in the file format of age (https://age-encryption.org/v1), so `age -d` can open them. */

/** How an archive is encrypted: with a passphrase, or with public keys. */
export const archiveEncryptionSchema = z.union([
  z.object({ passphrase: z.string() }),
  z.object({ recipients: z.array(z.string()).min(1) }),
]);
export type ArchiveEncryption = z.infer<typeof archiveEncryptionSchema>;

/** What can decrypt an archive: a passphrase, or secret keys. */
export type ArchiveKeys = { passphrase?: string | undefined; identities?: string[] | undefined };

type Through = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
export const passThrough: Through = (source) => source;

const BEGINNING = 'age-encryption.org/v1\n';

export function isEncryptedArchive(file: string): boolean {
  const start = Buffer.alloc(BEGINNING.length);
  const opened = openSync(file, 'r');
  try {
    return readSync(opened, start) === start.length && start.toString('latin1') === BEGINNING;
  } finally {
    closeSync(opened);
  }
}

/**
 * @returns the encryption, and a key with which this process can verify the archive. With public keys, only
 *   their owners could decrypt the archive, so it is encrypted for a temporary key too
 */
export async function createEncryption(
  seal: ArchiveEncryption,
): Promise<{ through: Through; proof: ArchiveKeys }> {
  const encrypter = new Encrypter();
  const through: Through = async function* (source) {
    yield* await encrypter.encrypt(ReadableStream.from(source));
  };
  if ('passphrase' in seal) {
    encrypter.setPassphrase(seal.passphrase);
    return { through, proof: { passphrase: seal.passphrase } };
  }
  const own = await generateX25519Identity();
  for (const recipient of [...seal.recipients, await identityToRecipient(own)])
    encrypter.addRecipient(recipient);
  return { through, proof: { identities: [own] } };
}

/**
 * Decrypts with the first key that fits.
 * @throws Error (from the stream) saying why no key fits
 */
export function createDecryption({ passphrase, identities = [] }: ArchiveKeys): Through {
  return async function* (source) {
    if (passphrase === undefined && identities.length === 0)
      throw new Error(
        'it is encrypted: set BACKUP_PASSPHRASE_FILE to the file of its passphrase, or BACKUP_IDENTITY_FILE to the file of its key',
      );
    const decrypter = new Decrypter();
    if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
    for (const identity of identities) decrypter.addIdentity(identity);
    try {
      yield* await decrypter.decrypt(ReadableStream.from(source));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        reason.startsWith('no identity matched')
          ? 'it is encrypted, and neither the passphrase nor a key decrypts it: check that BACKUP_PASSPHRASE_FILE or BACKUP_IDENTITY_FILE belongs to this archive'
          : `it is encrypted, and was changed or cut off later (${reason}). Take another archive`,
        { cause: error },
      );
    }
  };
}

/** Makes a key pair for `BACKUP_RECIPIENT`. Its file has the same form as age-keygen's. */
export async function newKeyPair(): Promise<{ recipient: string; file: string }> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  return { recipient, file: `# public key: ${recipient}\n${identity}\n` };
}
