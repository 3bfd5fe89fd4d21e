import { beforeAll, describe, expect, test } from 'vitest';
import { callerOf, expectedStatus, send, unsafeRoutes, validCall } from './route-table.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);

describe('what a body holds besides what its call knows', () => {
  const withJson = unsafeRoutes.filter((route) => !/(upload|receipts|content\/pictures)$/.test(route));
  /** Fields that an older or a newer client may send, and such as reach for rights and prototypes. */
  const unknown = `"appVersion":2,"user":{"secureLevel":1},"role":"Admin","toString":null,"__proto__":{"polluted":1}`;

  /** The same JSON with more in each of its objects, however deep. */
  const crowded = (body: string) => body.replaceAll('{', `{${unknown},`).replaceAll(',}', '}');

  async function outcome(call: Awaited<ReturnType<typeof validCall>>) {
    const answer = await send(call);
    return { status: answer.status, told: answer.ok ? shapeOf(await answer.json()) : await answer.text() };
  }

  /** The names of an answer's fields: ids and instants differ from call to call, and lists grow. */
  function shapeOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value.at(-1))];
    if (typeof value !== 'object' || value === null) return null;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]));
  }

  test.each(withJson)('API-3 changes nothing of the answer: %s', async (route) => {
    const admin = await callerOf(1);
    const expected = await outcome(await validCall(route, admin));
    expect(expected.status).toBe(expectedStatus(route, admin));
    // Logging out ended the first one's session.
    const more = await validCall(route, await callerOf(1));
    const body = crowded(more.body ?? '{}');
    expect(JSON.stringify(JSON.parse(body))).toContain('appVersion');
    const headers = { ...more.headers, 'content-type': 'application/json' };
    expect(await outcome({ ...more, headers, body })).toEqual(expected);
    expect('polluted' in {}).toBe(false);
  });
});
