import { expect, test } from 'vitest';
import { awaitingOn } from '../../web/src/lib/awaiting.ts';

const awaiting = {
  users: { unconfirmed_numbers: 2, due_reviews: 1 },
  plants: { dry_plants: 0 },
  health: { failed_parts: 0, dead_letters: 3 },
};

test('NAV-12 what waits is counted beside its screen, and said in words', () => {
  expect(awaitingOn('/manage_users', awaiting)).toEqual({
    count: 3,
    words: '미확인 학번/직번 2개, 점검할 달 1개',
  });
  expect(awaitingOn('/manage_health', awaiting)).toEqual({ count: 3, words: '처리하지 못한 메시지 3건' });
});

test('NAV-12 nothing is said where nothing waits, or where it is not known', () => {
  expect(awaitingOn('/manage_plants', awaiting)).toBeUndefined();
  expect(awaitingOn('/manage_users', {})).toBeUndefined();
  expect(awaitingOn('/manage_account', awaiting)).toBeUndefined();
});
