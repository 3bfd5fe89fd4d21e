import { DAY_MS } from '#contract/time';
import { readJson, api } from './api.ts';
import { isRecord } from './is-record.ts';
import { privateStorageKey } from './stored-text.ts';

/*
 * Encryption of the drafts in this browser. Each user has a key, which only a signed-in session gets and
 * which stays in memory. A storage key does not reveal the draft's place; a stored text begins with its time
 * of writing.
 */

/** `start` is the form's initial value, `value` the current one. */
export type Draft = { start: unknown; value: unknown };
export type StoredDraft = { name: string; text: string };

/** How long a draft is stored after its last change, in milliseconds. */
const DRAFT_LIFE_MS = 7 * DAY_MS;

const START = 'drafts/';
const IV_BYTES = 12;
const bytesOf = (text: string) => new TextEncoder().encode(text);
/** The oldest browsers have only `btoa` and `atob`. A call's arguments are limited, so bytes go in chunks. */
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
function toBase64(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8192)
    letters += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + 8192));
  return btoa(letters);
}

export type DraftEncryption = Awaited<ReturnType<typeof loadDraftEncryption>>;

/**
 * Requests the encryption key of the signed-in user.
 * @throws Error if the key cannot be loaded, or on a plain HTTP page, where browsers do not encrypt
 */
export async function loadDraftEncryption(userId: number) {
  if (!globalThis.isSecureContext)
    throw new Error('browsers encrypt nothing on a page that came over plain HTTP');
  const param = { id: String(userId) };
  const bytes = fromBase64((await readJson(api.login[':id']['draft-key'].$get({ param }))).key);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const [key, namer] = await Promise.all([
    crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
    crypto.subtle.importKey('raw', bytes, hmac, false, ['sign']),
  ]);
  // Name and time are authenticated: a text that was moved to another name or time cannot be decrypted.
  const cipher = (iv: BufferSource, name: string, at: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: bytesOf(`${name} ${at}`),
  });
  return {
    /** Encrypts a draft for storage. */
    seal: async (place: string, { start, value }: Draft): Promise<StoredDraft> => {
      const digest = new Uint8Array(await crypto.subtle.sign('HMAC', namer, bytesOf(place)));
      const name = privateStorageKey(userId, START + toBase64(digest.subarray(0, 16)));
      const at = String(Date.now());
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const plain = bytesOf(JSON.stringify({ place, start, value }));
      const sealed = new Uint8Array(await crypto.subtle.encrypt(cipher(iv, name, at), key, plain));
      return { name, text: `${at}.${toBase64(iv)}${toBase64(sealed)}` };
    },
    /** Decrypts a draft; undefined if it was not stored under this key and name. */
    open: async ({ name, text }: StoredDraft): Promise<{ place: string; draft: Draft } | undefined> => {
      try {
        const [at = '', sealed = ''] = text.split('.');
        const all = fromBase64(sealed);
        const [iv, content] = [all.subarray(0, IV_BYTES), all.subarray(IV_BYTES)];
        const plain = await crypto.subtle.decrypt(cipher(iv, name, at), key, content);
        const draft: unknown = JSON.parse(new TextDecoder().decode(plain));
        if (!isRecord(draft) || typeof draft.place !== 'string') return undefined;
        return { place: draft.place, draft: { start: draft.start, value: draft.value } };
      } catch {
        return undefined;
      }
    },
  };
}

/** A user's stored drafts. Removes all users' expired drafts first. */
export function storedDrafts(userId: number): StoredDraft[] {
  try {
    const found: StoredDraft[] = [];
    for (const [name, text] of Object.entries(localStorage)) {
      if (!/^private\/\d+\/drafts\//.test(name)) continue;
      const age = Date.now() - Number(text.split('.', 1)[0]);
      // A text without a time was not written by this version.
      if (!(Math.abs(age) <= DRAFT_LIFE_MS)) localStorage.removeItem(name);
      else if (isDraftName(userId, name)) found.push({ name, text });
    }
    return found;
  } catch {
    // If storage is blocked, nothing was stored.
    return [];
  }
}

export const isDraftName = (userId: number, name: string) =>
  name.startsWith(privateStorageKey(userId, START));
