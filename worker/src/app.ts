import { database } from '#db/client';
import { Hono } from 'hono';
import { accessLog } from './access-log/routes.ts';
import { awaiting } from './awaiting/routes.ts';
import { courses, staffCourses } from './courses/routes.ts';
import { find } from './find/routes.ts';
import { health } from './health/routes.ts';
import { ApiError, onError } from '#http/api-error';
import type { AppEnv } from './lib/app-env.ts';
import { readConfig, type Env } from './lib/config.ts';
import { plainRequestsOnly, refuseCrossSite } from './lib/refused-requests.ts';
import { followRequest } from '#http/follow-request';
import { securityHeaders } from '#http/security-headers';
import { ledger } from './ledger/routes.ts';
import { people } from './people/routes.ts';
import { pictures, upload } from './pictures/routes.ts';
import { keepWaterings } from './plants/waterings-data.ts';
import { writeRollups } from './plants/rollups-data.ts';
import { plants } from './plants/routes.ts';
import { receivers } from './receivers/routes.ts';
import { removeWhatIsOverdue } from './retention.ts';
import { login, logout } from './session/routes.ts';
import { tellSessionEnd } from './session/session.ts';
import { subjects } from './subjects/routes.ts';
import { rosterImport, students } from './students/routes.ts';
import { runTask, type Task } from './tasks/run-task.ts';
import { users } from './users/routes.ts';
import { WATCH_CRON } from './watch/rules.ts';
import { watchOver } from './watch/watch.ts';

const app = new Hono<AppEnv>();
app.onError(onError);
app.notFound((c) => onError(new ApiError(404), c));
app.use(followRequest('GET', 'HEAD', 'OPTIONS'));
app.use(securityHeaders);
app.use(tellSessionEnd);
// Fail on the first request if a variable is invalid, not when somebody first signs in.
app.use((c, next) => {
  readConfig(c.env);
  return next();
});
app.use(plainRequestsOnly);
app.use(refuseCrossSite);

export const routes = app
  .basePath('/api')
  .route('/health', health)
  .route('/login', login)
  .route('/logout', logout)
  .route('/users', users)
  .route('/access_log', accessLog)
  .route('/awaiting', awaiting)
  .route('/find', find)
  .route('/people', people)
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
  .route('/receivers', receivers);

/** The web app's client is typed from it. */
export type Api = typeof routes;

/** Neither waits for the other or fails with it: what looks for trouble must not hang on what may be in trouble. */
async function watchAndRollUp(env: Env): Promise<void> {
  const plants = database(env.PLANTS_DB);
  const rollUp: Task = async (_, { now }) => ({
    ...(await writeRollups(plants, now)),
    ...(await keepWaterings(plants)),
  });
  const ends = await Promise.allSettled([watchOver(env), runTask(env, 'rollups', rollUp)]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

export default {
  fetch: app.fetch,
  scheduled: async ({ cron }, env) => {
    if (cron === WATCH_CRON) await watchAndRollUp(env);
    else await runTask(env, 'retention', removeWhatIsOverdue);
  },
} satisfies ExportedHandler<Env>;
