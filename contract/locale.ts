import * as z from 'zod';

export const localeSchema = z.literal(['ko', 'en']);
export type Locale = z.infer<typeof localeSchema>;
