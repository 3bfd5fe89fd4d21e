import { API_MARKER_HEADER } from '#contract/log-line';
import { database } from '#db/client';
import { Hono } from 'hono';
import { accessLog } from './access-log/routes.ts';
import { awaiting, overview } from './awaiting/routes.ts';
import { content } from './content/routes.ts';
import { bridges } from './bridges/routes.ts';
import { courses, staffCourses } from './courses/routes.ts';
import { find } from './find/routes.ts';
import { health } from './health/routes.ts';
import { ApiError, onError } from '#http/api-error';
import type { AppEnv } from './lib/app-env.ts';
import { readConfig, type Env } from './lib/config.ts';
import { requireExactRoute, refuseCrossSite } from './lib/refused-requests.ts';
import { requestLogger } from '#http/request-logger';
import { stackTrace } from '#http/log';
import { liveScreens } from '#http/live-screens';
import { securityHeaders } from '#http/security-headers';
import { ledger } from './ledger/routes.ts';
import { people } from './people/routes.ts';
import { pictures, upload } from './pictures/routes.ts';
import { saveWaterings } from './plants/waterings-data.ts';
import { writeRollups } from './plants/rollups-data.ts';
import { plants } from './plants/routes.ts';
import { judgePlants } from './plants/assessment-data.ts';
import { receivers } from './receivers/routes.ts';
import { applyRetention } from './retention.ts';
import { login, logout } from './session/routes.ts';
import { sendSessionHeaders } from './session/session.ts';
import { subjects } from './subjects/routes.ts';
import { rosterImport, students } from './students/routes.ts';
import { runTask, type Task } from './tasks/run-task.ts';
import { users } from './users/routes.ts';
import { WATCH_CRON } from './watch/rules.ts';
import { runWatch } from './watch/watch.ts';

const app = new Hono<AppEnv>();
app.onError(onError);
app.notFound((c) => onError(new ApiError(404), c));
app.use(requestLogger('GET', 'HEAD', 'OPTIONS'));
app.use(securityHeaders);
app.use(async (c, next) => {
  await next();
  c.res.headers.set(API_MARKER_HEADER, '1');
});
app.use(sendSessionHeaders);
// Fail on the first request if a variable is invalid, not only when somebody first signs in.
app.use((c, next) => {
  readConfig(c.env);
  return next();
});
app.use(requireExactRoute);
app.use(refuseCrossSite);

export const routes = app
  .basePath('/api')
  .route('/health', health)
  .route('/login', login)
  .route('/logout', logout)
  .route('/users', users)
  .route('/access_log', accessLog)
  .route('/awaiting', awaiting)
  .route('/overview', overview)
  .route('/find', find)
  .route('/people', people)
  .route('/content', content)
  .route('/courses', courses)
  .route('/courses2', staffCourses)
  .route('/subjects', subjects)
  .route('/students', students)
  .route('/students/pictures', pictures)
  .route('/students', rosterImport)
  .route('/students/', rosterImport)
  .route('/upload', upload)
  .route('/account', ledger)
  .route('/plants', plants)
  .route('/receivers', receivers)
  .route('/bridges', bridges);

/** The type from which the web app's client is derived. */
export type Api = typeof routes;

/** The watch waits at most this long for rollups and assessments: their failure must not stop the watch. */
const READINGS_PATIENCE_MS = 20_000;

/** Writes rollups and updates due assessments; runs the watch even if rollups or assessments fail. */
async function rollUpAndWatch(env: Env): Promise<void> {
  const plants = database(env.PLANTS_DB);
  const rollUp: Task = async (_, { now, log }) => {
    const written = await writeRollups(plants, now);
    const judged = await judgePlants(plants, now);
    if (judged.length > 0)
      await liveScreens(env)
        .changed(judged)
        .catch((error: unknown) => log('warn', 'screens_not_told', { error: stackTrace(error) }));
    return { ...written, judged: judged.length, ...(await saveWaterings(plants)) };
  };
  const rolledUp = runTask(env, 'rollups', rollUp);
  await Promise.race([rolledUp.catch(() => undefined), scheduler.wait(READINGS_PATIENCE_MS)]);
  const ends = await Promise.allSettled([runWatch(env), rolledUp]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

export default {
  fetch: app.fetch,
  scheduled: async ({ cron }, env) => {
    if (cron === WATCH_CRON) await rollUpAndWatch(env);
    else await runTask(env, 'retention', applyRetention);
  },
} satisfies ExportedHandler<Env>;
