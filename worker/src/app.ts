import { Hono } from 'hono';
import { courses } from './courses/routes.ts';
import { health } from './health/routes.ts';
import { ApiError } from './lib/api-error.ts';
import type { AppEnv } from './lib/app-env.ts';
import { refuseCrossSiteWrites } from './lib/cross-site.ts';
import { onError } from './lib/on-error.ts';
import { securityHeaders } from './lib/security-headers.ts';
import { people } from './people/routes.ts';
import { plants } from './plants/routes.ts';
import { login, logout } from './session/routes.ts';

const app = new Hono<AppEnv>();
app.onError(onError);
app.notFound((c) => onError(new ApiError(404), c));
app.use(securityHeaders);
app.use(refuseCrossSiteWrites);

const routes = app
  .basePath('/api')
  .route('/health', health)
  .route('/login', login)
  .route('/logout', logout)
  .route('/people', people)
  .route('/courses', courses)
  .route('/plants', plants);

/** The type from which the web app's client is made. */
export type Api = typeof routes;
export default app;
