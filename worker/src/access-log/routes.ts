import { screenLevels } from '#contract/access-levels';
import { accessLogQuerySchema, type AccessLogEntry } from '#contract/access-log';
import {
  logReviewSchema,
  monthSchema,
  monthSpan,
  type LogMonth,
  type LogReport,
} from '#contract/log-reviews';
import { studentExportSchema } from '#contract/students';
import { Hono } from 'hono';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { ApiError } from '#http/api-error';
import { requireLevel } from '../session/require-level.ts';
import { validate, jsonBody } from '../lib/validate.ts';
import { readAccessLog } from './data.ts';
import { listLogMonths, logReportExport, readLogReport, signOffMonth } from './reviews-data.ts';

const guard = requireLevel(screenLevels.users);

export const accessLog = new Hono<AppEnv>()
  .get('/', guard, validate('query', accessLogQuerySchema), async (c) => {
    const { person, action, from, to, before } = c.req.valid('query');
    const filter = {
      ...(person !== undefined && { person }),
      ...(action !== undefined && { action }),
      ...(from !== undefined && { from: Date.parse(from) }),
      ...(to !== undefined && { to: Date.parse(to) }),
      ...(before !== undefined && { before }),
    };
    return c.json<AccessLogEntry[]>(await readAccessLog(c.var.db, actorOf(c), filter));
  })

  .get('/reviews', guard, async (c) =>
    c.json<LogMonth[]>(await listLogMonths(c.var.db, actorOf(c), Date.now())),
  )

  .get('/reviews/:month', guard, async (c) => {
    const month = monthOf(c.req.param('month'));
    return c.json<LogReport>(await readLogReport(c.var.db, actorOf(c), month, Date.now()));
  })

  .post('/reviews/:month', guard, jsonBody(logReviewSchema), async (c) => {
    const month = monthOf(c.req.param('month'));
    const now = Date.now();
    if (monthSpan(month).to > now)
      throw new ApiError(400, { message: '아직 끝나지 않은 달은 점검을 마칠 수 없습니다', field: 'month' });
    const [db, by] = [c.var.db, actorOf(c)];
    if ((await signOffMonth(db, by, month, c.req.valid('json').remark, now)) === 'signed')
      throw new ApiError(409, { message: '이미 점검한 달입니다' });
    return c.json({ ok: true }, 201);
  })

  .post('/reviews/:month/exports', guard, jsonBody(studentExportSchema), async (c) => {
    const month = monthOf(c.req.param('month'));
    await logReportExport(c.var.db, actorOf(c), month, c.req.valid('json').reason);
    return c.json({ ok: true });
  });

/** @throws ApiError 404 for a text that is not a month */
function monthOf(text: string | undefined): string {
  const month = monthSchema.safeParse(text);
  if (!month.success) throw new ApiError(404);
  return month.data;
}
