import type { ClassKey, RosterPreview, Student } from '#contract/students';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { countRowKinds, previewImport } from '../../web/src/features/students/import/roster-preview.ts';
import { rosterKind } from '../../web/src/features/students/import/roster-kind.ts';
import { studentsCsv, studentsTsv } from '../../web/src/features/students/list/student-table.ts';
import { propertyRuns } from '../support/counts.ts';
import { readImport } from '../support/read-import.ts';
import { asAdmin, call } from './client.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

const course: ClassKey = { year: 2026, semester: 2, subject: '제어/실습' };

/** Cells as people type them: what a spreadsheet would change, quotes, line breaks, numbers without their zero. */
const words = fc.oneof(
  fc.constantFrom(
    '',
    '홍길동',
    '=1+1',
    "'홍",
    '2026-01',
    '1e10',
    '00012',
    'a,b',
    '"인용"',
    '두\n줄',
    '  틈  ',
    '@x',
  ),
  fc.string({ maxLength: 20, unit: 'grapheme' }),
);
const rosters = fc.uniqueArray(
  fc.record({
    no: fc.nat(5000).map(String),
    id: fc.oneof(
      fc.integer({ min: 20_000_000, max: 209_999_999 }).map(String),
      fc.constantFrom('00001234', '1e10', '2026-01', 'MAR1', '12345678901234567890'),
    ),
    name: words,
    department: words,
    year: fc.nat(6).map(String),
    type: fc.constantFrom('', '재학', '휴학', '-', '=재학'),
    tel: fc.oneof(
      words,
      fc.constantFrom(
        '010-1234-5678',
        '01012345678',
        '+82 10-1234-5678',
        '02-123-4567',
        '031.123.4567',
        '1588-1234',
      ),
    ),
    email: fc.oneof(words, fc.constantFrom('kim@lab.test', '-kim@lab.test')),
  }),
  { minLength: 1, maxLength: 12, selector: ({ id }) => id },
);

const header = '순번\t학번\t성명\t학과\t학년\t학적상태\t연락처\t이메일';
/** As Excel copies a cell. */
const quoted = (cell: string) => (/[\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

test('STU-16 whatever roster was imported, its class exported as a file or a table and imported again is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(rosters, async (rows) => {
      await env.DB.prepare('DELETE FROM students').run();
      const pasted = rows.map(({ no, id, name, department, year, type, tel, email }) =>
        [no, id, name, department, year, type, tel, email].map(quoted).join('\t'),
      );
      const { good: data } = await readImport(rosterKind, [header, ...pasted].join('\r\n'));
      fc.pre(data.length > 0);
      const stored = await call('/students', 'POST', { ...course, data });
      expect(stored.status, await stored.clone().text()).toBe(201);

      const query = new URLSearchParams({ ...course, year: '2026', semester: '2' });
      const listed: Student[] = await (await call(`/students?${query}`)).json();
      expect(listed).toHaveLength(data.length);
      for (const text of [studentsCsv(listed), studentsTsv(listed)]) {
        const again = await readImport(rosterKind, text);
        expect(again.bad).toEqual([]);
        const answer = await call('/students/preview', 'POST', { ...course, data: again.good });
        const compared: RosterPreview = await answer.json();
        const preview = previewImport(again.good, compared);
        expect([...preview.values()].filter(({ changes, kept }) => changes.length + kept.length > 0)).toEqual(
          [],
        );
        expect({ missing: compared.missing, counts: countRowKinds(preview, again.good) }).toEqual({
          missing: [],
          counts: { new: 0, changed: 0, unchanged: data.length },
        });
      }
    }),
    propertyRuns(12, 600),
  );
});
