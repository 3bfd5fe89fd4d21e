import { describe, expect, test } from 'vitest';
import { anonymous, loginStateOf, parseLoginState } from '../../web/src/lib/login-state.ts';

const admin = {
  id: 7,
  isLoggedIn: true,
  email: 'admin@lab.test',
  name: '김하나',
  univId: '20100001',
  secureLevel: 1,
};

describe('the stored login state', () => {
  test('AUTH-5 anonymous is id -1 at level 100', () => {
    expect(anonymous).toMatchObject({ id: -1, isLoggedIn: false, name: 'anonymous', secureLevel: 100 });
  });

  test('AUTH-1 is read back as it was stored', () => {
    expect(parseLoginState(JSON.stringify(admin))).toEqual(admin);
    expect(parseLoginState(JSON.stringify({ ...admin, univId: null }))).toEqual({ ...admin, univId: null });
  });

  test.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an anonymous state', JSON.stringify(anonymous)],
    ['a user without a level', JSON.stringify({ ...admin, secureLevel: undefined })],
    ['a level as text', JSON.stringify({ ...admin, secureLevel: '1' })],
    ['a user who is not logged in', JSON.stringify({ ...admin, isLoggedIn: false })],
  ])('AUTH-5 %s makes the visitor anonymous', (_name, stored) => {
    expect(parseLoginState(stored)).toEqual(anonymous);
  });

  test('AUTH-1 is made of the answer to the login', () => {
    const { isLoggedIn: _, ...user } = admin;
    expect(loginStateOf({ ...user, secureLevel: 1 })).toEqual(admin);
  });
});
