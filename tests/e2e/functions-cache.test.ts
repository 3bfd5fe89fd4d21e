import { expect, test } from 'vitest';
import { store } from '../support/both-databases.ts';
import { credential, login } from '../support/sign-in.ts';
import { sharedStack } from '../support/shared-stack.ts';

const stack = sharedStack('empty');

function addCourse(subject: string): void {
  store(
    stack.dataDir,
    'INSERT INTO courses (year, semester, subject, subject_en, target) VALUES (2026, 1, ?, ?, 3)',
    subject,
    subject,
  );
}

const courses = async (cookie = '') => {
  const answer = await fetch(`${stack.origin}/api/courses`, { headers: { cookie } });
  return {
    control: answer.headers.get('cache-control'),
    text: await answer.text(),
    names: [...answer.headers.keys()],
  };
};

test('SEC-40 SEC-59 visitors share one copy of the courses at the edge; whoever is signed in asks the API', async () => {
  addCourse('임베디드');
  const first = await courses();
  expect(first.text).toContain('임베디드');
  expect(first.control).toBe(
    'public, max-age=0, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400',
  );
  // The copy is stored behind the answer: wait until a new course no longer shows.
  await expect
    .poll(async () => {
      const name = crypto.randomUUID();
      addCourse(name);
      return (await courses()).text.includes(name);
    })
    .toBe(false);
  addCourse('네트워크');
  const again = await courses();
  expect(again.text).not.toContain('네트워크');
  expect(again.control).toBe(first.control);
  expect(again.names.filter((name) => name.startsWith('x-stored'))).toEqual([]);

  const { cookie } = await login(stack.origin, await credential(stack.origin, 'member@lab.test'));
  const own = await courses(cookie);
  expect(own.text).toContain('네트워크');
  expect(own.control).toBe('private, no-cache');

  // Nobody gets past the copy by a cookie that cannot be a session's.
  for (const odd of [
    '__Host-session=',
    '__Host-session=x',
    'a=__Host-session=x',
    `${cookie}; ${cookie}`,
    `x${cookie}`,
  ])
    expect((await courses(odd)).text, odd).toBe(again.text);
});
