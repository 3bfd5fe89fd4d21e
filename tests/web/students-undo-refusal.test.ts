import { expect, test } from 'vitest';
import { hindranceText } from '../../web/src/features/students/import/undo-refusal.tsx';

test('IMP-4 whose row keeps an import from being undone is said with its fields', () => {
  expect(hindranceText({ id: '1000', name: '가람', fields: ['tel', 'year'] })).toBe(
    '가람 1000: 연락처, 학년',
  );
  expect(hindranceText({ id: '1001', name: '나래', fields: ['enrolment'] })).toBe('나래 1001: 수강 여부');
  expect(hindranceText({ id: '1002', name: null, fields: ['student'] })).toBe('1002: 삭제됨');
});
