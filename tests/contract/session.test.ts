import { sessionTokenFromCookie } from '#contract/session';
import { expect, test } from 'vitest';

const token = 'A-_0'.repeat(10) + 'abc';

test.each([
  [`__Host-session=${token}`, token],
  [`a=b;  __Host-session=${token} ; c=d`, token],
  [`__Host-session=${token}=`, undefined],
  [`__Host-session="${token}"`, undefined],
  [`__Host-session=${token.slice(1)}`, undefined],
  [`__Host-session=${token}x`, undefined],
  [`x__Host-session=${token}`, undefined],
  [`__host-session=${token}`, undefined],
  [`a=__Host-session=${token}`, undefined],
  [`__Host-session=${token}; __Host-session=${token}`, undefined],
  ['__Host-session=', undefined],
  ['', undefined],
  [null, undefined],
])('SEC-59 the cookie header %j presents the session %j', (header, presented) => {
  expect(sessionTokenFromCookie(header)).toBe(presented);
});
