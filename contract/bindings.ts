/**
 * The bindings that each wrangler.toml gives its deployed part, by name and kind. The deployment compares
 * this list with the files.
 */
export const bindings = {
  api: {
    DB: 'D1 database',
    PLANTS_DB: 'D1 database',
    FILES: 'R2 bucket',
    INGEST: 'service',
    LIVE: 'Durable Object',
    LOGIN_RATE: 'rate limit',
    UPLOAD_RATE: 'rate limit',
  },
  ingest: {
    PLANTS_DB: 'D1 database',
    LIVE: 'Durable Object',
    READINGS_RATE: 'rate limit',
    STRANGERS_RATE: 'rate limit',
  },
  site: { API: 'service' },
} as const;

export type BindingKind = 'D1 database' | 'R2 bucket' | 'service' | 'Durable Object' | 'rate limit';

/** The type of a deployed part's `env`: its bindings, with the runtime's type for each kind. */
export type BoundEnv<
  List extends Record<string, Kind>,
  Types extends Record<Kind, unknown>,
  Kind extends string = keyof Types & string,
> = {
  readonly [Name in keyof List]: Types[List[Name]];
};

export function missingBindings(list: Record<string, BindingKind>, env: Record<string, unknown>): string[] {
  return Object.entries(list)
    .filter(([name]) => env[name] === undefined)
    .map(([name, kind]) => `${name} is not bound: add a ${kind} to wrangler.toml`);
}
