import * as z from 'zod';

/** Machine-readable error code for each status that the API returns. */
export const errorCodes = {
  400: 'invalid_input',
  401: 'not_logged_in',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  500: 'server_error',
  503: 'unavailable',
} as const;

export type ErrorStatus = keyof typeof errorCodes;

/** Body of every error from the API and the ingest worker. `message` is Korean and shown to users. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    field: z.string().optional(),
    /** Number of the invalid row, from 1. */
    row: z.int().optional(),
    /** For a 409: the current record. The write was based on an older version. */
    current: z.unknown().optional(),
    /** Id by which a 5xx is found in the logs. */
    requestId: z.string().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/**
 * The version of a record that several people can change: starts at 1 and rises with every change. A write
 * with an outdated version is refused with 409, whose `current` is the current record.
 */
export const versionSchema = z.int().positive();
