export const REQUEST_ID_HEADER = 'x-request-id';

/** Declared here because the contract is not compiled for a particular runtime; every one provides it. */
declare const crypto: { randomUUID: () => string };

/** A new id of 48 random bits, short enough to read aloud: `3f2a9c1e-7b4d`. */
export const newRequestId = () => crypto.randomUUID().slice(0, 13);

/** The id that the client sent if it is well-formed, otherwise a new one. */
export function requestIdFrom(sent: string | null | undefined): string {
  return sent && /^[0-9a-f]{8}-[0-9a-f]{4}$/.test(sent) ? sent : newRequestId();
}
