import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAMAGED } from '#contract/first-steps';
import { createFile, makeFolder } from '../../firmware-bridge/src/files.ts';
import { asidePath } from '../../firmware-bridge/src/system-error.ts';

/*
 * The author of an archive. Each installation signs its manifests with its own Ed25519 key, because hashes and encryption prove
 * no author: anybody can compute the hashes again, and anybody can encrypt to a public key.
 */

/** As the manifest's row has them, in base64; of an archive of 0.1.0 there are none. */
type Signature = { author: string; signature: string };

export const NOBODY = 'nobody';
/** In the place of a name, where what is restored goes again. */
export const ANYBODY = Symbol('anybody');

const keyFile = (dataDir: string) => join(dataDir, 'archive-key.pem');

function keyIn(dataDir: string) {
  const file = keyFile(dataDir);
  try {
    return createPrivateKey(readFileSync(file));
  } catch (error) {
    throw new Error(`${file} is no key. First step: ${DAMAGED.archiveKey(file, asidePath(file))}`, {
      cause: error,
    });
  }
}

/** Signs with the installation's key, which is made where there is none. */
export function signed(dataDir: string, manifest: string): Signature {
  if (!existsSync(keyFile(dataDir))) {
    makeFolder(dataDir, 0o700);
    const { privateKey } = generateKeyPairSync('ed25519');
    createFile(keyFile(dataDir), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  const key = keyIn(dataDir);
  const author = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return { author, signature: sign(null, Buffer.from(manifest), key).toString('base64') };
}

/** What an operator compares: the beginning of the SHA-256 of a public key. */
const named = (author: string) =>
  createHash('sha256').update(Buffer.from(author, 'base64')).digest('hex').slice(0, 24);

/** The installation's own name as an author; undefined while it has made no archive. */
export const ownName = (dataDir: string): string | undefined =>
  existsSync(keyFile(dataDir)) ? named(signed(dataDir, '').author) : undefined;

/**
 * The name of who signed the manifest, or `nobody`.
 * @throws Error when the signature is of another text
 */
export function authorOf(manifest: string, of: Partial<Signature>): string {
  if (of.author === undefined || of.signature === undefined) return NOBODY;
  const der = Buffer.from(of.author, 'base64');
  const key = createPublicKey({ key: der, type: 'spki', format: 'der' });
  if (!verify(null, Buffer.from(manifest), key, Buffer.from(of.signature, 'base64')))
    throw new Error('its manifest was changed after it was signed');
  return named(of.author);
}
