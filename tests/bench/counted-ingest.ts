import type { ExecutionContext } from '@cloudflare/workers-types';
import { database } from '#db/client';
import { app as ingest } from '../../ingest/src/app.ts';
import type { Env } from '../../ingest/src/config.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { judgePlants } from '../../worker/src/plants/assessment-data.ts';
import { saveWaterings } from '../../worker/src/plants/waterings-data.ts';
import { countedD1 } from '../support/counted-d1.ts';

/* The ingest worker with a D1 that counts the rows it writes, and the task that sums readings up and judges the plants beside it. */

export { Live } from '../../ingest/src/app.ts';

const counts = { written: 0, size: 0, read: 0 };

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const db = countedD1(env.PLANTS_DB, counts);
    if (pathname === '/rolled-up') {
      const now = Number(searchParams.get('now'));
      await writeRollups(database(db), now);
      await judgePlants(database(db), now);
      await saveWaterings(database(db));
    } else if (pathname !== '/written') {
      return await ingest.fetch(request, { ...env, PLANTS_DB: db }, ctx);
    }
    return Response.json(counts);
  },
};
