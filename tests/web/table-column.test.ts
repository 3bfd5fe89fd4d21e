import { describe, expect, test } from 'vitest';
import { sortRowsByValue } from '../../web/src/components/table-column.ts';

const people = [
  { id: 3, name: '송바다', univId: null },
  { id: 10, name: '오다솜', univId: '20150002' },
  { id: 2, name: '류새봄', univId: '202499999' },
];
const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

describe('the order of a table', () => {
  test('USER-1 numbers are sorted as numbers, in both directions', () => {
    expect(ids(sortRowsByValue(people, ({ id }) => id, 'ascending'))).toEqual([2, 3, 10]);
    expect(ids(sortRowsByValue(people, ({ id }) => id, 'descending'))).toEqual([10, 3, 2]);
  });

  test('USER-1 names are sorted as Korean sorts them', () => {
    expect(ids(sortRowsByValue(people, ({ name }) => name, 'ascending'))).toEqual([2, 3, 10]);
  });

  test('USER-1 empty cells stand last in both directions', () => {
    expect(ids(sortRowsByValue(people, ({ univId }) => univId, 'ascending'))).toEqual([10, 2, 3]);
    expect(ids(sortRowsByValue(people, ({ univId }) => univId, 'descending'))).toEqual([2, 10, 3]);
  });

  test('equal rows keep their order and the list that was given stays as it was', () => {
    const before = [...people];
    expect(ids(sortRowsByValue(people, () => 1, 'descending'))).toEqual(ids(people));
    expect(people).toEqual(before);
  });
});
