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
import { REPAIR_STEPS } from '#contract/first-steps';
import { createFile, makeFolder } from '../../firmware-bridge/src/files.ts';
import { damagedFilePath } from '../../firmware-bridge/src/system-error.ts';

/*
 * Each installation signs its manifests with its own Ed25519 key, to prove who is the author of an archive.
 * Hashes and encryption do not prove this: anybody can compute a hash and encrypt for a public key.
 */

/** Author and signature in base64, as the manifest's row has them. Archives by 0.1.0 have neither. */
type Signature = { author: string; signature: string };

export const UNKNOWN_AUTHOR = 'nobody';
/** Accepts archives by any author, for restore drills. */
export const ANY_AUTHOR = Symbol('anybody');

const keyFile = (dataDir: string) => join(dataDir, 'archive-key.pem');

function keyIn(dataDir: string) {
  const file = keyFile(dataDir);
  try {
    return createPrivateKey(readFileSync(file));
  } catch (error) {
    throw new Error(
      `${file} is not a key. First step: ${REPAIR_STEPS.archiveKey(file, damagedFilePath(file))}`,
      {
        cause: error,
      },
    );
  }
}

/** Signs with the installation's key. Creates the key if there is none. */
export function signManifest(dataDir: string, manifest: string): Signature {
  if (!existsSync(keyFile(dataDir))) {
    makeFolder(dataDir, 0o700);
    const { privateKey } = generateKeyPairSync('ed25519');
    createFile(keyFile(dataDir), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  const key = keyIn(dataDir);
  const author = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return { author, signature: sign(null, Buffer.from(manifest), key).toString('base64') };
}

/** An author's name for operators: the first 24 hex digits of the SHA-256 of the author's public key. */
const fingerprint = (author: string) =>
  createHash('sha256').update(Buffer.from(author, 'base64')).digest('hex').slice(0, 24);

/** The name of the installation's own key; undefined before its first archive. */
export const ownKeyFingerprint = (dataDir: string): string | undefined =>
  existsSync(keyFile(dataDir)) ? fingerprint(signManifest(dataDir, '').author) : undefined;

/**
 * Verifies the signature. Returns the signer's name, or `nobody` if there is no signature.
 * @throws Error if the signature does not match the manifest
 */
export function verifiedSigner(manifest: string, of: Partial<Signature>): string {
  if (of.author === undefined || of.signature === undefined) return UNKNOWN_AUTHOR;
  const der = Buffer.from(of.author, 'base64');
  const key = createPublicKey({ key: der, type: 'spki', format: 'der' });
  if (!verify(null, Buffer.from(manifest), key, Buffer.from(of.signature, 'base64')))
    throw new Error('its manifest was changed after it was signed');
  return fingerprint(of.author);
}
