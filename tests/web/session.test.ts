import { expect, test } from 'vitest';
import { emitLoginEvent, onLoginEvent } from '../../web/src/lib/session.ts';

test('NAV-7 the login event reaches all who listen and is over when they are done', async () => {
  const done: string[] = [];
  const stopFirst = onLoginEvent(async () => {
    await Promise.resolve();
    done.push('first');
  });
  const stopSecond = onLoginEvent(async () => {
    done.push('second');
  });
  await emitLoginEvent();
  expect(done.toSorted()).toEqual(['first', 'second']);
  stopFirst();
  await emitLoginEvent();
  expect(done.toSorted()).toEqual(['first', 'second', 'second']);
  stopSecond();
});
