/** The header in which a request's id goes to the server and comes back with the answer. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Every runtime has it; the contract is written for none of them alone. */
declare const crypto: { randomUUID: () => string };

/** A new id of 48 random bits that a person can read out: `3f2a9c1e-7b4d`. */
export const newRequestId = () => crypto.randomUUID().slice(0, 13);

/** The id that a request brought, or a new one where it brought none that could be one. */
export function requestIdFrom(sent: string | null | undefined): string {
  return sent && /^[0-9a-f]{8}-[0-9a-f]{4}$/.test(sent) ? sent : newRequestId();
}
