/** Answer of GET /api/health: 200 when every part stands, 503 otherwise. */
export type Health = {
  ok: boolean;
  parts: { api: boolean; ingest: boolean; broker: boolean; bridge: boolean };
};
