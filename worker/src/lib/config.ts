import { bindings, type BoundEnv } from '#contract/bindings';
import {
  urlVariable,
  configReader,
  listVariable,
  logLevelVariable,
  switchVariable,
  wholeNumber,
} from '#contract/variables';
import type { LiveNamespace } from '#http/live-screens';
import * as z from 'zod';

type Kinds = {
  'D1 database': D1Database;
  'R2 bucket': R2Bucket;
  service: Fetcher;
  'Durable Object': LiveNamespace;
  'rate limit': RateLimit;
};

export type Env = BoundEnv<typeof bindings.api, Kinds> & {
  /** Present only if MAIL_FROM is set. */
  readonly EMAIL?: SendEmail;
} & Record<keyof typeof apiEnvSchema.shape, string | undefined>;

/** Lower-cases only ASCII: if the Kelvin sign K became k too, two different addresses would be equal. */
export const lowerCaseAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const lowerCase = (pattern: RegExp, error: string) =>
  z.string().overwrite(lowerCaseAscii).regex(pattern, error);
const LONG_SECRETS = 'must be secrets of at least 32 characters each, comma-separated';
const web = (example: string) => urlVariable(/^https?$/, example);

/** Variables in days are whole numbers. */
export const apiEnvSchema = z.object({
  LOG_LEVEL: logLevelVariable(),
  GOOGLE_CLIENT_ID: z.string().meta({ description: "id of the site's OAuth client at Google" }),
  GOOGLE_CLIENT_SECRET: z
    .string()
    .meta({ description: 'secret of that client, for signing in by redirect', secret: true }),
  COOKIE_SECRETS: listVariable(z.string().min(32, LONG_SECRETS))
    .pipe(z.array(z.string()).min(1, LONG_SECRETS))
    .meta({
      description:
        "secrets for the redirect flow's cookie, comma-separated: the first encrypts, all decrypt; the keys of drafts are derived from the first",
      secret: true,
    }),
  ADMIN_EMAILS: listVariable(
    lowerCase(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be email addresses, comma-separated'),
  )
    .default([])
    .meta({
      description:
        'who becomes an admin at the first sign-in, comma-separated: addresses at gmail.com, or at a domain that Google says it runs (Workspace)',
    }),
  UNIVERSITY_EMAIL_DOMAINS: listVariable(
    lowerCase(/^[a-z0-9.-]+\.[a-z]{2,}$/, 'must be domains like univ.example, comma-separated'),
  )
    .default([])
    .meta({
      description: 'domains whose users start at level 8, comma-separated; Google must run them (Workspace)',
    }),
  ACCESS_LOG_DAYS: wholeNumber(366, 36_500)
    .default(400)
    .meta({ description: 'days that the access log is kept; the database itself refuses less than 366' }),
  PLANT_READINGS_DAYS: wholeNumber(31, 36_500).optional().meta({
    description:
      'days that raw readings of plants are kept; without it forever. Charts of older ranges come from the rollups, which stay; older readings are then refused',
  }),
  ROSTER_YEARS: wholeNumber(1, 50).optional().meta({
    description:
      'whole years that a roster and its pictures are kept after the end of the semester; without it until an admin removes it',
  }),
  DELETED_USERS_DAYS: wholeNumber(1, 36_500).default(365).meta({
    description:
      'days that the lists of dues keep the name of a deleted user; the payment itself stays in the books',
  }),
  ALERT_WEBHOOK_URL: web('https://hooks.example/services/…').optional().meta({
    description:
      'address that gets all alerts besides the receivers on 시스템 상태, as a POST of {"text": …}; also if the database does not answer',
    secret: true,
  }),
  HEARTBEAT_URL: urlVariable(/^https$/, 'https://hc-ping.com/…')
    .optional()
    .meta({
      description:
        'https address of a service that expects heartbeats: the watch sends it a GET after each good run, every five minutes; without it nobody outside notices a total failure',
      secret: true,
    }),
  SITE_URL: web('https://lab.example')
    .optional()
    .meta({ description: 'address of the site, for links in messages; without it they have none' }),
  ALERT_LANGUAGE: z.enum(['ko', 'en'], 'must be ko or en').default('ko').meta({
    description:
      'ko or en: the language of all messages; English ones lack the present state, which 시스템 상태 shows',
  }),
  MAIL_FROM: z.email('must be an email address').optional().meta({
    description:
      'sender address of mails, at a domain that Cloudflare sends for (docs/deploy.md); with it the deployment binds EMAIL, without it no mail is sent',
  }),
  RECEIVERS_ON_LOOPBACK: switchVariable('off').meta({
    description: 'on: receivers may be on this machine; only for the local run',
  }),
  BACKUP_ALERT_DAYS: wholeNumber(1, 365)
    .default(7)
    .meta({ description: 'days without a backup until an alert' }),
  CLOUDFLARE_PLAN: z.enum(['free', 'paid', 'none'], 'must be free, paid or none').default('free').meta({
    description:
      "free or paid: the plan whose D1 limits raise alerts before the database is full or the day's rows are used up; none: no limits",
  }),
  IDENTITY_PROVIDER: web('https://id.example').optional().meta({
    description:
      'address of an identity provider instead of Google, without a slash at its end, with jwks, client, authorize and token below it; the local run sets it',
  }),
});
export type Config = z.output<typeof apiEnvSchema>;

/** @throws Error naming every missing or invalid variable and binding, without values */
export const readConfig = configReader(apiEnvSchema, bindings.api);
