import { describe, expect, test } from 'vitest';
import { add, detailOf, emptyAccount, form, list, logged } from './account.ts';
import { call } from './client.ts';
import { contents } from './support.ts';

emptyAccount();

const categorize = (category: unknown, ...entries: object[]) =>
  call('/account/categories', 'POST', { category, entries });

describe('several entries', () => {
  test('ACC-14 get a category at once, each with its history and its row in the log', async () => {
    const [one, two, rest] = [await add(), await add({ category: '다과' }), await add({ amount: 7 })];
    expect((await categorize('사무용품', one, two)).status).toBe(200);
    expect((await list()).toReversed()).toEqual([
      { ...one, category: '사무용품', version: 2 },
      { ...two, category: '사무용품', version: 2 },
      rest,
    ]);
    const history: { category: string }[] = await (await call(`/account/${two.id}/history`)).json();
    expect(history).toMatchObject([
      { version: 1, category: '다과', replaced_by: { id: expect.any(Number) } },
    ]);
    const told = (await logged()).slice(-2);
    expect(told).toMatchObject(
      [one, two].map(({ id }) => ({ action: 'change', subject: 'ledger_entry', subject_id: String(id) })),
    );
    expect(told.map(detailOf)).toEqual([{ words: true }, { words: true }]);
  });

  test('ACC-14 that have the category already stay as they are, and an empty one takes it away', async () => {
    const [one, two] = [await add({ category: '회비' }), await add()];
    expect((await categorize('회비', one, two)).status).toBe(200);
    expect((await list()).map(({ category, version }) => [category, version])).toEqual([
      ['회비', 2],
      ['회비', 1],
    ]);
    expect((await categorize('', one)).status).toBe(200);
    expect((await list()).map(({ category }) => category)).toEqual(['회비', '']);
  });

  test.each(['is gone', 'has been corrected'])('ACC-14 stay all when one of them %s', async (what) => {
    const [one, two] = [await add(), await add()];
    if (what === 'is gone') await call(`/account/${two.id}`, 'DELETE');
    else await call(`/account/${two.id}`, 'PUT', { ...form, amount: 5 });
    const before = await contents();
    expect((await categorize('회비', one, two)).status).toBe(409);
    expect(await contents()).toEqual(before);
  });

  test.each([[undefined], [7], ['가'.repeat(31)]])('ACC-14 SEC-24 get no category %j', async (category) => {
    const one = await add();
    expect((await categorize(category, one)).status).toBe(400);
    expect(await list()).toEqual([one]);
  });
});
