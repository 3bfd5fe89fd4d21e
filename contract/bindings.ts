/** What each deployed part is given by its wrangler.toml, by name and kind; the deployment holds both against each other. */
export const bindings = {
  api: {
    DB: 'D1 database',
    FILES: 'R2 bucket',
    INGEST: 'service',
    LOGIN_RATE: 'rate limit',
    UPLOAD_RATE: 'rate limit',
  },
  ingest: { DB: 'D1 database', READINGS_RATE: 'rate limit' },
  site: { API: 'service' },
} as const;

export type BindingKind = 'D1 database' | 'R2 bucket' | 'service' | 'rate limit';

/** The bindings of a list, each as the type that its kind has in that runtime. */
export type Bound<
  List extends Record<string, Kind>,
  Types extends Record<Kind, unknown>,
  Kind extends string = keyof Types & string,
> = {
  readonly [Name in keyof List]: Types[List[Name]];
};

/** One line for each binding of the list that `env` lacks. */
export function missingBindings(list: Record<string, BindingKind>, env: Record<string, unknown>): string[] {
  return Object.entries(list)
    .filter(([name]) => env[name] === undefined)
    .map(([name, kind]) => `${name} is not bound: a ${kind}, in wrangler.toml`);
}
