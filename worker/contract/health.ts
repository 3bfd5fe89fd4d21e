import * as z from 'zod';

/** Answer of GET /api/health: 200 when every part stands, 503 otherwise. */
export const healthSchema = z.object({
  ok: z.boolean(),
  parts: z.object({ api: z.boolean(), ingest: z.boolean(), broker: z.boolean(), bridge: z.boolean() }),
});
export type Health = z.infer<typeof healthSchema>;
