import type { ErrorBody } from '#contract/errors';
import { API_HEADER, newRequestId, REQUEST_ID_HEADER } from '#contract/log-line';
import { isRecord } from './is-record.ts';

type Details = Pick<ErrorBody['error'], 'message' | 'field' | 'row' | 'current'>;

/** An unsuccessful API response. Status 0: there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: Details | undefined;
  /** The call's id in the server's log. */
  readonly requestId: string | undefined;

  constructor(status: number, details?: Details, options: ErrorOptions & { requestId?: string } = {}) {
    super(details?.message ?? `the API answered ${status}`, options);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.requestId = options.requestId;
  }
}

/** An answer that is not the API's, but of something on the way to it: neither a success nor a refusal. */
export class ForeignAnswer extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`something between the browser and the API answered ${status}`);
    this.name = 'ForeignAnswer';
    this.status = status;
  }
}

let send: (request: Request) => Promise<Response> = (request) => fetch(request);

/** Replaces the way calls are sent, for example while somebody is signed in. */
export function setSender(sender: typeof send): void {
  send = sender;
}

/**
 * Sends every call, with an id of its own. An unsuccessful one is thrown as ApiError, whatever its body; what something
 * else answered in place of the API as ForeignAnswer, but a failure (5xx) is one whoever tells of it.
 */
export async function fetchOrThrow(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const requestId = newRequestId();
  const request = new Request(input, init);
  request.headers.set(REQUEST_ID_HEADER, requestId);
  let response: Response;
  try {
    response = await send(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError(0, undefined, { cause: error });
  }
  if (response.status < 500 && isForeign(request, response)) throw new ForeignAnswer(response.status);
  if (!response.ok) throw new ApiError(response.status, await errorDetails(response), { requestId });
  return response;
}

/** Files of the site are asked for in the same way. */
function isForeign(request: Request, { headers }: Response): boolean {
  const isCall = new URL(request.url).pathname.startsWith('/api/');
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  return isCall && (isPage || !headers.has(API_HEADER));
}

async function errorDetails(response: Response): Promise<Details | undefined> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  if (!isJson) return undefined;
  const body: unknown = await response.json().catch(() => undefined);
  if (!isRecord(body) || !isRecord(body['error'])) return undefined;
  const { message, field, row, current } = body['error'];
  if (typeof message !== 'string') return undefined;
  return {
    message,
    ...(typeof field === 'string' && { field }),
    ...(typeof row === 'number' && { row }),
    ...(current !== undefined && { current }),
  };
}
