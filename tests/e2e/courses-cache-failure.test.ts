import { expect, test } from 'vitest';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { store } from '../support/both-databases.ts';
import { sharedStack } from '../support/shared-stack.ts';

const stack = sharedStack('empty');

/** Takes the tables away that sessions and courses are in, or brings them back. */
function breakDatabase(isBroken: boolean): void {
  const db = openLocalD1(stack.dataDir);
  db.exec('PRAGMA legacy_alter_table = ON; PRAGMA foreign_keys = OFF');
  for (const name of ['courses', 'sessions'])
    db.exec(
      isBroken ? `ALTER TABLE ${name} RENAME TO ${name}_away` : `ALTER TABLE ${name}_away RENAME TO ${name}`,
    );
  db.close();
}

function addCourse(subject: string): void {
  store(
    stack.dataDir,
    'INSERT INTO courses (year, semester, subject, subject_en, target) VALUES (2026, 1, ?, ?, 3)',
    subject,
    subject,
  );
}

const ofNobody = { cookie: `__Host-session=${'a'.repeat(43)}` };
const list = async () => await (await fetch(`${stack.origin}/api/courses`)).text();
const write = async () =>
  (await fetch(`${stack.origin}/api/courses`, { method: 'POST', headers: ofNobody })).status;

test('SEC-68 a stranger takes the list of courses from nobody while the API fails', async () => {
  addCourse('임베디드');
  // The copy is stored behind the answer: it is there once it hides a change.
  await expect
    .poll(async () => {
      const name = crypto.randomUUID();
      addCourse(name);
      return (await list()).includes(name);
    })
    .toBe(false);
  expect(await write()).toBe(401);
  breakDatabase(true);
  try {
    for (let round = 0; round < 3; round++) {
      expect(await write()).toBe(500);
      expect(await list()).toContain('임베디드');
    }
  } finally {
    breakDatabase(false);
  }
  // Doubted as it is, it answers nobody whom the API answers.
  addCourse('네트워크');
  expect(await list()).toContain('네트워크');
});
