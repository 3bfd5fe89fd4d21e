import { firstVersion } from '#content/first-version';
import { tellReadings } from '../support/store-readings.ts';
import { addMonths } from '#contract/log-reviews';
import { env } from 'cloudflare:workers';
import { someEntry } from './route-keys.ts';
import { png } from './sample-images.ts';
import { NAME } from './support.ts';

let numbers = 20_000_000;
export const freshNumber = () => String(++numbers);

/** A user whom nobody needs any more; with a number, one who claims it. */
export async function someUser(univId: string | null = null): Promise<number> {
  const row = await env.DB.prepare(
    `INSERT INTO users (sub, email, name, univ_id, secure_level, created_at)
     VALUES (?, ?, ?, ?, 8, 0) RETURNING id`,
  )
    .bind(crypto.randomUUID(), `${crypto.randomUUID()}@lab.test`, NAME, univId)
    .first<number>('id');
  return row ?? -1;
}

/** Id of a session of the user's own that may end; of nobody's when the user is gone. */
export async function spareSessionOf(userId: number): Promise<number> {
  const hash = crypto.randomUUID().replaceAll('-', '').repeat(2);
  const row = await env.DB.prepare(
    `INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at)
     SELECT ?, id, 'spare', ?, ? FROM users WHERE id = ? RETURNING id`,
  )
    .bind(hash, Date.now(), Date.now(), userId)
    .first<number>('id');
  return row ?? 1;
}

export async function someCourseId(): Promise<number> {
  const row = await env.DB.prepare(
    `INSERT INTO courses (year, semester, subject, subject_en, target)
     VALUES (2026, 1, '가', 'A', 1) RETURNING id`,
  ).first<number>('id');
  return row ?? -1;
}

export async function storeSubject(): Promise<void> {
  await env.DB.prepare(
    `INSERT OR IGNORE INTO subjects (department, year, semester, id, name, grade, type, score, prof,
       time, classroom, etc)
     VALUES ('cs', 2026, 'spring', 'S1', '가', 1, '전공', 3, '나린솔', '월1', 'B1', '')`,
  ).run();
}

/** A student of a class. */
export async function someStudent({ withPicture = false } = {}): Promise<string> {
  const id = freshNumber();
  await env.DB.batch([
    env.DB.prepare('INSERT INTO students (id, name) VALUES (?, ?)').bind(id, NAME),
    env.DB.prepare(
      `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
       VALUES (?, 2026, 1, 'x', 1, 1, '')`,
    ).bind(id),
  ]);
  if (withPicture) {
    const { etag, size } = await env.FILES.put(`pictures/${id}`, png, {});
    await env.DB.prepare(
      `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
       VALUES (?, 'image/png', ?, ?, 12, 8, 0)`,
    )
      .bind(id, size, etag)
      .run();
  }
  return id;
}

export async function storedRoster(): Promise<object> {
  await someStudent();
  return {};
}

/** An import that can be undone: adding its rows is what stores them. @returns its id */
export async function storedImport(): Promise<number> {
  const [, , newest] = await env.DB.batch<{ id: number }>([
    env.DB.prepare(
      `INSERT INTO imports (at, year, semester, subject, added, changed, unchanged, removed)
       VALUES (0, 2026, 1, 'x', 1, 0, 0, 0)`,
    ),
    env.DB.prepare(
      `INSERT INTO import_rows (import_id, student_id, student_after, student_listed, enrolment_after)
       SELECT max(id), ?1, json_array(?2, '', '', ''), json_array(?2, '', '', ''), json_array(1, 1, '')
       FROM imports`,
    ).bind(freshNumber(), NAME),
    env.DB.prepare('SELECT max(id) AS id FROM imports'),
  ]);
  return newest?.results[0]?.id ?? 0;
}

/** A change of the timetable that can be undone. @returns its id */
export async function storedTimetableImport(): Promise<number> {
  await storeSubject();
  const row = await env.DB.prepare(
    `INSERT INTO subject_imports (at, user_id, department, year, semester)
     VALUES (0, (SELECT min(id) FROM users), 'cs', 2026, 'spring') RETURNING id`,
  ).first<number>('id');
  return row ?? 0;
}

/** An import of one entry. @returns its id */
export async function storedLedgerImport(): Promise<number> {
  const run = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare(
      'INSERT INTO ledger_imports (at, user_id, run) VALUES (0, (SELECT min(id) FROM users), ?)',
    ).bind(run),
    env.DB.prepare(
      'INSERT INTO ledger_import_entries (entry_id, import_id) SELECT ?, max(id) FROM ledger_imports',
    ).bind(await someEntryId()),
  ]);
  return (await env.DB.prepare('SELECT max(id) AS id FROM ledger_imports').first<number>('id')) ?? 0;
}

export async function someEntryId(): Promise<number> {
  const row = await env.DB.prepare(
    `INSERT INTO ledger_entries (amount, datetime, description)
     VALUES (1, '2026-03-02T13:00:00', ?) RETURNING id`,
  )
    .bind(`회비 ${NAME}`)
    .first<number>('id');
  return row ?? -1;
}

export async function someCorrectedEntryId(): Promise<number> {
  const id = await someEntryId();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO ledger_history (entry_id, version, amount, datetime, description, category, replaced_at, replaced_by)
       SELECT id, version, amount, datetime, description, category, 0, 1 FROM ledger_entries WHERE id = ?`,
    ).bind(id),
    env.DB.prepare("UPDATE ledger_entries SET category = '회비' WHERE id = ?").bind(id),
  ]);
  return id;
}

export async function storedEntry(): Promise<object> {
  await someEntryId();
  return {};
}

export async function someDeletedEntryId(): Promise<number> {
  const entry = JSON.stringify({ ...someEntry, category: '', version: 1 });
  const row = await env.DB.prepare(
    `INSERT INTO deleted_entries (id, entry, history, receipts, deleted_at)
     SELECT max(id) + 1000, ?, '[]', '[]', 1 FROM (SELECT 0 AS id UNION SELECT id FROM ledger_entries UNION SELECT id FROM deleted_entries)
     RETURNING id`,
  )
    .bind(entry)
    .first<number>('id');
  return row ?? -1;
}

export async function someReceiptId(): Promise<string> {
  const id = crypto.randomUUID().replaceAll('-', '');
  await env.FILES.put(`receipts/${id}`, png);
  await env.DB.prepare(
    `INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at)
     VALUES (?, ?, '영수증.png', 'image/png', ?, 0)`,
  )
    .bind(id, await someEntryId(), png.length)
    .run();
  return id;
}

export async function storedReceipt(): Promise<object> {
  await someReceiptId();
  return {};
}

/** A typed name of the term of `someDuesTerm`. */
export async function someDue(): Promise<number> {
  const row = await env.DB.prepare('INSERT INTO dues (year, semester, name) VALUES (2049, 2, ?) RETURNING id')
    .bind(NAME)
    .first<number>('id');
  return row ?? -1;
}

export const someDuesTerm = async () => ({ path: { year: '2049', semester: '2' } });

/** The plant 'watered', whose board is online: what each plant's answers may tell is there. */
export async function storedReadings(): Promise<object> {
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare("INSERT OR IGNORE INTO plants (id, name) VALUES (90, 'watered')"),
    env.PLANTS_DB.prepare('UPDATE plant_states SET board_online = 1, board_at = 0 WHERE plant_id = 90'),
  ]);
  const readings = [850, 850, 300, 300, 300, 300, 900];
  await tellReadings(
    env.PLANTS_DB,
    readings.map(
      (raw, step) => ['watered', 1_772_409_600_000 + step * 600_000, raw, 0, step === 1 ? 5 : null] as const,
    ),
  );
  return {};
}

/** A plant that everybody may see. */
export async function openedPlant(): Promise<object> {
  await storedReadings();
  await env.PLANTS_DB.prepare('UPDATE plant_states SET is_public = plant_id = 90').run();
  return {};
}

/** A plant that is hidden, one that is removed, and 'weed', which may be. */
export async function hiddenPlants(): Promise<object> {
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare("INSERT OR IGNORE INTO plants (id, name) VALUES (91, 'shade'), (92, '/92')"),
    env.PLANTS_DB.prepare("INSERT OR IGNORE INTO plants (name) VALUES ('weed')"),
    env.PLANTS_DB.prepare('UPDATE plant_states SET is_hidden = 1, last_measured_at = 0 WHERE plant_id = 91'),
    env.PLANTS_DB.prepare('DELETE FROM plant_states WHERE plant_id = 92'),
    env.PLANTS_DB.prepare("INSERT OR IGNORE INTO plant_removals VALUES (92, 'moss', 0, 3)"),
  ]);
  return {};
}

/** Something of everything that the health page tells. */
export async function storedWatch(): Promise<object> {
  await storedReadings();
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare("INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('roof', ?, 0)").bind(
      crypto.randomUUID(),
    ),
    env.PLANTS_DB.prepare(
      `INSERT OR IGNORE INTO bridge_heartbeats
         (bridge_id, broker_connected, reported_at, valid_until, spool_depth, spool_oldest_at, spool_dead, signed_at,
          broker_heard_at, spool_known_at, spool_state, over_quota, over_quota_at, version, certificate_until, disk_free, disk_size, boards_passed_over)
       VALUES ('roof', 1, 0, ${Date.UTC(2100, 0)}, 3, 0, 1, 0, 0, 0, 'ok',
         '[{"plant":"watered","waiting":5,"refused":7}]', 0, '0.1.0', ${Date.UTC(2100, 0)}, 5e9, 3e10, 7)`,
    ),
  ]);
  await env.DB.batch([
    env.DB.prepare('INSERT INTO backups (at, ok, rows, files, bytes) VALUES (0, 1, 1, 1, 1)'),
    env.DB.prepare('INSERT INTO drills (at, ok, made_at, rows, files) VALUES (1, 1, 0, 1, 1)'),
    env.DB.prepare(
      "INSERT OR IGNORE INTO task_runs (name, started_at, finished_at, ok) VALUES ('watch', 0, 1, 1)",
    ),
    env.DB.prepare(
      `INSERT OR IGNORE INTO alerts (key, kind, name, detail, since, well_since, over_at, told_at)
       VALUES ('board:watered', 'board', 'watered', NULL, 0, NULL, NULL, 1),
         ('disk:roof', 'disk', 'roof', '남은 공간 5.0 GB', 0, NULL, NULL, 1)`,
    ),
  ]);
  return {};
}

/** A receiver that is told of one plant, in the morning, and did not take what it was sent. */
export async function someReceiverId(): Promise<number> {
  await storedReadings();
  const id = await env.DB.prepare(
    `INSERT INTO receivers (kind, name, address, every_plant, line, quiet_from, quiet_to, created_at, told_at)
     VALUES ('json', '온실', 'https://receiver.example/secret', 0, 1, '22:00', '07:00', 0, 1) RETURNING id`,
  ).first<number>('id');
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO receiver_topics (receiver_id, topic) VALUES (?, 'watered'), (?1, 'gone')",
    ).bind(id),
    env.DB.prepare(
      `INSERT INTO outbox (receiver_id, key, kind, name, since, next_at, tries, failure)
       VALUES (?, 'dry:watered', 'dry', 'watered', 0, 1, 1, 'answered 500')`,
    ).bind(id),
  ]);
  return id ?? -1;
}

export async function storedReceiver(): Promise<object> {
  await someReceiverId();
  return {};
}

let months = 0;
/** A month that is over and that nobody has signed off in this file. */
export const freshMonth = () => addMonths('2000-01', ++months % 300);

/** A month that somebody has signed off. */
export async function signedMonth(): Promise<string> {
  const month = freshMonth();
  await env.DB.prepare(
    "INSERT INTO log_reviews (month, at, reviewer_id, remark) VALUES (?, ?, 1, '이상 없음')",
  )
    .bind(month, Date.now())
    .run();
  return month;
}

/** Of the draft of the public pages' words. */
export async function draftVersion(): Promise<number> {
  const row = await env.DB.prepare('SELECT version FROM content_draft').first<{ version: number }>();
  return row?.version ?? 0;
}

export const ENTRY = '@article{kim2026, author={Kim, A}, title={A paper}, year={2026}}';

/** What those who know papers answer about a DOI, the one after the other: a status and a text, or nothing. */
export async function doiAnswers(doi: string, ...answers: ([number, string] | 'nothing')[]): Promise<void> {
  const encoded = encodeURIComponent(doi);
  const addresses = [
    `https://api.crossref.org/works/${encoded}/transform/application/x-bibtex?mailto=cps%40hanbit.example`,
    `https://data.crosscite.org/application/x-bibtex/${encoded}`,
  ];
  for (const [at, answer] of answers.entries())
    await fetch(addresses[at] ?? '', {
      method: 'POST',
      headers: { 'x-test-order': 'answer' },
      body: JSON.stringify(answer === 'nothing' ? answer : { status: answer[0], body: answer[1] }),
    });
}

export async function knownDoi(): Promise<object> {
  await doiAnswers('10.5555/known', [200, ENTRY]);
  return {};
}

/** A bridge with a key and a task, both of one number. */
export async function askedBridge(): Promise<{ id: number }> {
  await env.PLANTS_DB.batch(
    [
      `INSERT OR IGNORE INTO bridge_keys (id, bridge_id, key, created_at) VALUES (77, 'asked', '${'k'.repeat(43)}', 0)`,
      `INSERT OR IGNORE INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until, tasks)
       VALUES ('asked', 1, 0, ${Number.MAX_SAFE_INTEGER}, '["dead_letters"]')`,
      `INSERT OR IGNORE INTO bridge_tasks (id, bridge_id, task, created_at, done_at, result)
       VALUES (77, 'asked', '{"kind":"backup"}', ${Date.now()}, 1, '{"ok":true,"text":"done"}')`,
      'UPDATE bridge_keys SET revoked_at = NULL WHERE id = 77',
      "DELETE FROM bridge_tasks WHERE task ->> 'kind' = 'dead_letters'",
    ].map((sql) => env.PLANTS_DB.prepare(sql)),
  );
  return { id: 77 };
}

/** A photograph of the public pages that is published. */
export async function storedPhotograph(): Promise<{ path: Record<string, string> }> {
  await env.FILES.put('content/0123456789abcdef/2', png, { httpMetadata: { contentType: 'image/png' } });
  const text = { ko: '가', en: 'a' };
  const photographs = [{ file: '0123456789abcdef-2x2.png', alt: text, caption: text }];
  await env.DB.prepare(
    'INSERT INTO content_versions (content, publications, at, user_id) VALUES (?, ?, 0, 1)',
  )
    .bind(JSON.stringify({ ...firstVersion, photographs }), '{"all":[],"selected":[],"bibtex":""}')
    .run();
  return { path: { name: '0123456789abcdef-2.png' } };
}
