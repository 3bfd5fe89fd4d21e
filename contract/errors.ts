import * as z from 'zod';

/** Machine-readable kind of an API error, one for each status that the API answers with. */
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

/** Body of every error of the API and of the ingest worker. `message` is Korean and fit for the screen. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    /** Name of the field that is wrong. */
    field: z.string().optional(),
    /** Number of the row that is wrong, from 1. */
    row: z.int().optional(),
    /** Id to look a 5xx up in the logs. */
    requestId: z.string().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
