import type { AccessLogEntry } from '#contract/access-log';
import { beforeAll, expect, test } from 'vitest';
import { asAdmin, call } from './client.ts';
import { post, row } from './roster.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

const spelled: [what: string, stored: string, said: string][] = [
  ['is taken apart', '독고탁이', '독고탁이'.normalize('NFD')],
  ['is stored apart', '선우밝음'.normalize('NFD'), '선우밝음'],
  ['holds other spaces', '남궁가람', '남\u00a0궁\u3000가\t람'],
  ['is stored with them', '제갈\u00a0나린', '제갈나린'],
  ['holds dots', '연나래', '연.나.래'],
  ['is stored with a hyphen', '장-폴린', '장 폴린'],
  ['holds what nobody sees', '황보다온', '황\u200b보\u2060다\u00ad온'],
];

test.each(spelled)('SEC-79 a name in a reason stays out of the log when it %s', async (_, stored, said) => {
  await post([row(0, { name: stored })]);
  const reason = `${said} 열람`;
  expect((await call('/students/exports', 'POST', { reason, count: 1 })).status).toBe(200);
  const [exported] = await (await call('/access_log?action=export')).json<AccessLogEntry[]>();
  expect(exported?.detail['reason']).toBe('○○○ 열람');
});
