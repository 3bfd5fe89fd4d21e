import { LOG_LEVELS, type LogLevel } from '#contract/log-line';
import * as z from 'zod';

/** Bindings and variables of the API worker, as wrangler.toml and the secrets give them. */
export type Env = {
  DB: D1Database;
  FILES: R2Bucket;
  INGEST: Fetcher;
  LOGIN_RATE: RateLimit;
  UPLOAD_RATE: RateLimit;
} & Record<keyof z.input<typeof configSchema>, string | undefined>;

const list = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''));

const lowerCaseList = list.transform((items) => items.map((item) => item.toLowerCase()));

const logLevelSchema = z.literal(LOG_LEVELS).default('info');

const configSchema = z.object({
  LOG_LEVEL: logLevelSchema,
  GOOGLE_CLIENT_ID: z.string().min(1),
  GOOGLE_CLIENT_SECRET: z.string().default(''),
  /** Encrypt the redirect flow's cookie: the first one new cookies, every one old cookies. */
  COOKIE_SECRETS: list.default([]),
  ADMIN_EMAILS: lowerCaseList.default([]),
  UNIVERSITY_EMAIL_DOMAINS: lowerCaseList.default([]),
  /** Days that the access log is kept; the database itself refuses less than 366. */
  ACCESS_LOG_DAYS: z.coerce.number().int().min(366).default(400),
  /** Days that raw readings of plants are kept; empty is forever. Rollups stay in any case. */
  PLANT_READINGS_DAYS: z
    .literal('')
    .transform(() => undefined)
    .or(z.coerce.number().int().min(31))
    .optional(),
  IDENTITY_ISSUERS: list.default(['https://accounts.google.com', 'accounts.google.com']),
  IDENTITY_KEYS_URL: z.url().default('https://www.googleapis.com/oauth2/v3/certs'),
  /** An address, or a path on the site's own origin. */
  IDENTITY_SCRIPT_URL: z.string().min(1).default('https://accounts.google.com/gsi/client'),
  IDENTITY_AUTHORIZE_URL: z.url().default('https://accounts.google.com/o/oauth2/v2/auth'),
  IDENTITY_TOKEN_URL: z.url().default('https://oauth2.googleapis.com/token'),
});
export type Config = z.output<typeof configSchema>;

/** The lowest level whose lines are logged. Read on its own, so that a wrong configuration can be logged too. */
export function readLogLevel({ LOG_LEVEL }: Env): LogLevel {
  return logLevelSchema.safeParse(LOG_LEVEL).data ?? 'info';
}

const parsed = new WeakMap<object, Config>();

/**
 * The variables of `env`, checked once an isolate.
 * @throws Error that names every variable that is missing or wrong
 */
export function readConfig(env: Env): Config {
  let config = parsed.get(env);
  if (!config) {
    const result = configSchema.safeParse(env);
    if (!result.success) throw new Error(`wrong configuration: ${z.prettifyError(result.error)}`);
    config = result.data;
    parsed.set(env, config);
  }
  return config;
}
