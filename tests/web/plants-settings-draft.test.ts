import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hidingNote } from '../../web/src/features/plants/settings-draft.ts';

test('PLT-13 before a public plant is hidden, dialog and guide say that it does not become public again by itself', () => {
  expect(hidingNote({ is_public: true })).toMatch(/다시 표시해도 공개되지 않습니다/);
  expect(hidingNote({ is_public: false })).not.toContain('공개');
  expect(readFileSync('web/public/markdown/staff-guide.md', 'utf8')).toMatch(
    /숨기면 공개도 끝나므로, 다시 표시한 뒤 \*\*첫 화면에 공개\*\*를 다시 선택해야 합니다/,
  );
});
