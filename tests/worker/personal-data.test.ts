import { beforeAll, expect, test } from 'vitest';
import { nonPersonalTables, personalData, type PersonalTable } from '#db/personal-data';
import { contents, holderOf, migrateDatabase, prepare } from './support.ts';

beforeAll(migrateDatabase);

const holdings: Record<string, PersonalTable> = personalData;

async function columnsOf(table: string): Promise<string[]> {
  const { results } = await holderOf(table)
    .prepare('SELECT name FROM pragma_table_info(?)')
    .bind(table)
    .all<{ name: string }>();
  return results.map(({ name }) => name).sort();
}

test('OPS-4 every table is known to hold something of a person or nothing of anybody: a new one has to be put down', async () => {
  const tables = Object.keys(await contents());
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.sort()).toEqual([...Object.keys(holdings), ...Object.keys(nonPersonalTables)].sort());
});

test.each(Object.entries(holdings))(
  'OPS-4 every column of %s is exported or known to be left out, and its SQL can be run',
  async (table, { exported, others, whose, erase }) => {
    expect([...exported, ...others].sort()).toEqual(await columnsOf(table));
    const nobody = whose({ users: '(0)', students: "('x')", emails: "('x@x')" });
    const missing = whose({ users: '()', students: '()', emails: '()' });
    for (const condition of [nobody, missing]) {
      const { results } = await prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`).all();
      expect(results).toEqual([{ n: 0 }]);
    }
    if (typeof erase === 'object' && 'set' in erase)
      await prepare(`UPDATE ${table} SET ${erase.set} WHERE ${nobody}`).run();
  },
);

test('OPS-4 what hangs on a user or a student is known to be a person’s, and goes before them', async () => {
  const order = Object.keys(holdings);
  for (const table of Object.keys(await contents())) {
    const { results } = await holderOf(table)
      .prepare('SELECT "table" AS parent FROM pragma_foreign_key_list(?)')
      .bind(table)
      .all<{ parent: string }>();
    const people = results.map(({ parent }) => parent).filter((parent) => /^(users|students)$/.test(parent));
    for (const parent of people) {
      expect(order).toContain(table);
      expect(order.indexOf(table)).toBeLessThan(order.indexOf(parent));
    }
  }
});
