import * as z from 'zod';

/**
 * Of a record that several people can change: counts from 1 and rises with every change. A write that names the version
 * which it was made from is refused with 409 when the record has moved on; `current` then is the record as it is now.
 */
export const versionSchema = z.int().positive();
