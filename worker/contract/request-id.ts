/** The header in which a request's id goes to the server and comes back with the answer. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Without the letters that are mistaken for digits when they are read out (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const REQUEST_ID = /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}$/;

/** Every runtime has it; the contract is written for none of them alone. */
declare const crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> };

/** A new id of 60 random bits that a person can read out: `7F3K-92MQ-X0AB`. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte, at) => (at % 4 || !at ? '' : '-') + ALPHABET[byte % 32]).join('');
}

/** The id that a request brought, or a new one where it brought none that could be one. */
export function requestIdFrom(sent: string | null | undefined): string {
  return sent && REQUEST_ID.test(sent) ? sent : newRequestId();
}
