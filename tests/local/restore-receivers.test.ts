import { expect, test } from 'vitest';
import type { Store } from '../../scripts/backup/store.ts';
import { archivedStore } from '../support/archived-store.ts';
import { change } from '../support/both-databases.ts';

const { dataDir, rows, restored, emptyStore } = archivedStore((dataDir) =>
  change(
    dataDir,
    `
    INSERT INTO receivers (id, kind, name, address, every_plant, line, created_at) VALUES
      (1, 'json', '온실', 'https://receiver.example/secret-1', 0, 1, 1),
      (2, 'json', '복도', 'https://receiver.example/secret-2', 1, 1, 1);
    INSERT INTO receiver_topics (receiver_id, topic) VALUES (1, 'fern');
    INSERT INTO alerts (key, kind, name, since, told_at) VALUES ('dry:fern', 'dry', 'fern', 5, 6);
    INSERT INTO outbox (receiver_id, key, kind, name, since, over_at, told_at, next_at, tries, failure) VALUES
      (0, 'dry:fern', 'dry', 'fern', 5, NULL, NULL, 7, 0, NULL),
      (1, 'dry:fern', 'dry', 'fern', 5, NULL, NULL, 7, 2, 'answered 500'),
      (1, 'board:fern', 'board', 'fern', 3, 4, 3, 7, 0, NULL),
      (2, 'dry:fern', 'dry', 'fern', 5, NULL, 6, NULL, 0, NULL)`,
  ),
);

const left = async (target: Pick<Store, 'rows'>) => ({
  receivers: (await target.rows('SELECT id FROM receivers ORDER BY id')).map(
    (row) => Object.values(Object(row))[0],
  ),
  outbox: await target.rows(
    'SELECT receiver_id, key, next_at, failure FROM outbox WHERE told_at > 0 ORDER BY receiver_id',
  ),
  due: await target.rows(
    'SELECT key FROM outbox WHERE next_at IS NOT NULL OR told_at IS NULL OR over_at IS NOT NULL',
  ),
});
const told = (receiver_id: number) => ({ receiver_id, key: 'dry:fern', next_at: null, failure: null });

test('SEC-62 a copy in an empty place has no receiver, unless the operator says so, and nothing due either way', async () => {
  for (const [keepReceivers, ids] of [
    [false, []],
    [true, [1, 2]],
  ] as const) {
    const target = await emptyStore();
    const said = await restored({ keepReceivers }, target);
    expect(await left(target)).toEqual({ receivers: ids, outbox: [0, ...ids].map(told), due: [] });
    expect(said).toContain(
      `receivers of alerts that stay: ${ids.length}, without their unsent messages; not restored: ${2 - ids.length}`,
    );
    expect(said.includes('--keep-receivers')).toBe(!keepReceivers);
    expect(said).not.toContain('secret');
  }
});

test('SEC-62 in place, the receivers stay that are there, and one that was deleted since does not come back', async () => {
  change(dataDir, 'DELETE FROM receivers WHERE id = 1');
  const said = await restored({ discardNewer: true });
  expect(await left({ rows })).toEqual({ receivers: [2], outbox: [told(0), told(2)], due: [] });
  expect(said).toContain('receivers of alerts that stay: 1, without their unsent messages; not restored: 1');
});
