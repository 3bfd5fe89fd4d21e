import type { StudentExport } from '#contract/students';
import { beforeAll, expect, test } from 'vitest';
import { asAdmin, call } from './client.ts';
import { course, last, post, row, undo } from './roster.ts';
import { contents, migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

const exported = async (id: string): Promise<StudentExport> =>
  await (await call(`/students/${id}/export`, 'POST', { reason: '열람 요청' })).json();

test('SEC-83 the export of one person holds what imports have replaced, until an undo or a deletion', async () => {
  await post([row(0, { tel: '010-1111-1111' }), row(1, { tel: '010-9999-9999' })]);
  await post([row(0, { tel: '010-2222-2222', no: 7 })]);
  const { id } = row(0);
  const person = (tel: string) => ['가람0', '컴퓨터공학부', tel, 's0@univ.test'];
  const { imports, student } = await exported(id);
  expect(student.tel).toBe('010-2222-2222');
  expect(imports).toEqual([
    {
      at: expect.any(String),
      ...course,
      student_before: null,
      student_after: person('010-1111-1111'),
      student_listed: person('010-1111-1111'),
      student_shown: person('010-1111-1111'),
      enrolment_before: null,
      enrolment_after: [1, 3, '재학'],
      corrected: null,
    },
    {
      at: (await last())?.at,
      ...course,
      student_before: person('010-1111-1111'),
      student_after: person('010-2222-2222'),
      student_listed: person('010-2222-2222'),
      student_shown: person('010-2222-2222'),
      enrolment_before: [1, 3, '재학'],
      enrolment_after: [7, 3, '재학'],
      corrected: null,
    },
  ]);
  expect(JSON.stringify(imports)).not.toContain('010-9999-9999');
  expect((await undo()).status).toBe(200);
  expect((await exported(id)).imports).toHaveLength(1);
  expect((await call(`/students/${id}`, 'DELETE')).status).toBe(200);
  expect(JSON.stringify((await contents())['import_rows'])).not.toContain('010-1111-1111');
});
