import type { ErrorBody } from '#contract/errors';
import { API_MARKER_HEADER, newRequestId, REQUEST_ID_HEADER } from '#contract/log-line';
import { isRecord } from './is-record.ts';

type Details = Pick<ErrorBody['error'], 'message' | 'field' | 'row' | 'current'>;

/** An unsuccessful API response. Status 0 means that there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: Details | undefined;
  /** The request's id in the server's log. */
  readonly requestId: string | undefined;

  constructor(status: number, details?: Details, options: ErrorOptions & { requestId?: string } = {}) {
    super(details?.message ?? `the API answered ${status}`, options);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.requestId = options.requestId;
  }
}

/** A response from something between browser and API, such as a proxy: neither a success nor a refusal. */
export class NotFromApiError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`something between the browser and the API answered ${status}`);
    this.name = 'NotFromApiError';
    this.status = status;
  }
}

let send: (request: Request) => Promise<Response> = (request) => fetch(request);

/** Replaces the function that sends API calls, for example while a user is signed in. */
export function setRequestSender(sender: typeof send): void {
  send = sender;
}

/**
 * Sends a call with a request id. An unsuccessful response is thrown as ApiError, whatever its body. A
 * response that did not come from the API is thrown as NotFromApiError, except a failure (5xx).
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
  if (response.status < 500 && isForeign(request, response)) throw new NotFromApiError(response.status);
  if (!response.ok) throw new ApiError(response.status, await errorDetails(response), { requestId });
  return response;
}

/** Only calls to the API are checked, because the site's own files are requested in the same way. */
function isForeign(request: Request, { headers }: Response): boolean {
  const isCall = new URL(request.url).pathname.startsWith('/api/');
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  return isCall && (isPage || !headers.has(API_MARKER_HEADER));
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
