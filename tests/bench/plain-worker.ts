/** What GET /api/students and GET /api/account are measured against: no session, no log, no rules; the same rows from the same D1. */
import type { D1Database } from '@cloudflare/workers-types';
import { Hono } from 'hono';

type Joined = {
  id: string;
  term_year: number;
  subject: string;
  school_year: number;
  type: string;
  no: number;
};

const app = new Hono<{ Bindings: { DB: D1Database } }>();

app.get('/students', async (c) => {
  const { results } = await c.env.DB.prepare(
    `SELECT students.*, max(enrolments.year * 10 + semester), school_year, type, no,
            json_group_array(DISTINCT subject) AS subjects, pictures.student_id AS picture
     FROM students
     LEFT JOIN enrolments ON enrolments.student_id = id
     LEFT JOIN pictures ON pictures.student_id = id
     GROUP BY id ORDER BY id`,
  ).all();
  return c.json(results);
});

app.get('/joined', async (c) => {
  const { results } = await c.env.DB.prepare(
    `SELECT students.*, enrolments.year AS term_year, subject, school_year, type, no FROM students
     LEFT JOIN enrolments ON student_id = id ORDER BY id, enrolments.year`,
  ).all<Joined>();
  const students = new Map<string, Omit<Joined, 'subject'> & { subjects: string[] }>();
  for (const { subject, ...row } of results) {
    const subjects = students.get(row.id)?.subjects ?? [];
    students.set(row.id, { ...row, subjects: [...subjects, subject] });
  }
  return c.json([...students.values()]);
});

app.get('/account', async (c) => {
  const { results } = await c.env.DB.prepare(
    'SELECT id, amount, datetime, description, category, version FROM ledger_entries ORDER BY datetime DESC, id DESC',
  ).all();
  return c.json(results);
});

app.get('/empty', (c) => c.json([]));

/** The API worker, which runs beside it, asks for the class at its start. */
export class Live {
  readonly fetch = () => new Response();
}

export default app;
