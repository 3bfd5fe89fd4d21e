import { ADMIN, MEMBER } from '#contract/access-levels';
import type { User } from '#contract/users';
import { describe, expect, test } from 'vitest';
import { userQuestionTexts } from '../../web/src/features/users/questions.ts';

const user: User = {
  id: 5,
  name: '송바다',
  email: 'guest@lab.test',
  secure_level: 10,
  univ_id: '202412347',
  univ_id_verified: false,
};

describe('what an admin is asked', () => {
  test('USER-2 a role change names the person and both roles', () => {
    const words = userQuestionTexts({ kind: 'role', user, level: MEMBER }, false);
    expect(words).toMatchObject({ title: '송바다 님의 역할을 변경할까요?', lines: ['Guest → Member'] });
    expect(words.isDestructive).toBe(false);
  });

  test('USER-2 making an admin warns that this screen cannot take it back', () => {
    expect(userQuestionTexts({ kind: 'role', user, level: ADMIN }, false).lines[1]).toMatch(
      /낮출 수 없습니다/,
    );
  });

  test('USER-3 a deletion names the person, by email when there is no name, and says when it is oneself', () => {
    expect(userQuestionTexts({ kind: 'delete', user }, false)).toMatchObject({
      title: '송바다 님을 삭제할까요?',
      isDestructive: true,
    });
    expect(userQuestionTexts({ kind: 'delete', user: { ...user, name: '' } }, false).title).toContain(
      'guest@lab.test',
    );
    expect(userQuestionTexts({ kind: 'delete', user }, true).lines[1]).toMatch(/내 계정/);
  });

  test('AUTH-9 confirming and releasing a number show the number', () => {
    for (const kind of ['confirm-number', 'release-number'] as const) {
      expect(userQuestionTexts({ kind, user, number: '202412347' }, false).lines[0]).toBe('202412347');
    }
  });
});
