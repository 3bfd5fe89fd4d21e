import { existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import * as z from 'zod';
import { REPAIR_STEPS, commandInDataDir } from '#contract/first-steps';
import { replaceFile } from '../firmware-bridge/src/files.ts';

/* The local run's keys. They are created once and stored in the data folder, readable only for its owner. */

const makeSecret = () => Promise.resolve(randomBytes(32).toString('hex'));

/** A JSON Web Key; all of its members are strings. */
const jsonWebKey = z.record(z.string(), z.string()).refine(({ d, kid }) => Boolean(d) && Boolean(kid));

async function makeIdentityKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return JSON.stringify({ ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex') });
}

const isSecret = (text: string) => /^\S{32,}$/.test(text);

const KEYS = {
  'cookie-secret': { make: makeSecret, isWhole: isSecret, lost: 'everybody signs in again' },
  'bridge-key': { make: makeSecret, isWhole: isSecret, lost: 'the local bridge gets another key' },
  'identity-key.json': {
    make: makeIdentityKey,
    isWhole: (text: string) => keyIn(text) !== undefined,
    lost: 'nothing else changes',
  },
} as const;
type Key = keyof typeof KEYS;

function keyIn(text: string): Record<string, string> | undefined {
  try {
    return jsonWebKey.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * @param start the command that creates a new key
 * @throws Error naming the key and the first step, if a key is empty or was cut off
 */
export function refuseDamagedKeys(dataDir: string, start = commandInDataDir(dataDir, 'npm start')): void {
  for (const [name, { isWhole, lost }] of Object.entries(KEYS)) {
    const path = join(dataDir, name);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, 'utf8').trim();
    if (isWhole(text)) continue;
    throw new Error(
      `the data folder ${dataDir} is damaged: ${path} is ${text === '' ? 'empty' : 'not a key'}. First step: ${REPAIR_STEPS.key(path, start)} makes a new one, and ${lost}`,
    );
  }
}

/** Reads the stored key. Creates the key if there is none. */
export async function readOrCreateKey(dataDir: string, name: Key): Promise<string> {
  const path = join(dataDir, name);
  if (!existsSync(path)) replaceFile(path, await KEYS[name].make());
  return readFileSync(path, 'utf8').trim();
}

/** The private key with which the local identity provider signs. */
export async function readOrCreateIdentityKey(dataDir: string): Promise<Record<string, string>> {
  return jsonWebKey.parse(JSON.parse(await readOrCreateKey(dataDir, 'identity-key.json')));
}
