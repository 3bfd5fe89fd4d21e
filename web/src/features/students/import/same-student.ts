import type { RosterPreview } from '#contract/students';
import type { CheckedRow } from '../../../components/import/import-kind.ts';
import { asciiText } from '../../../lib/paste-table.ts';
import type { RosterField } from './roster-kind.ts';

type Row<Value> = CheckedRow<RosterField, Value>;

/** A student number without what spelling adds: hyphens, blanks, `.0`, leading zeros. */
const bareNumber = (id: string): string =>
  asciiText(id).replace(/\.0+$/, '').replace(/[\s-]/g, '').replace(/^0+/, '');

/** Rows whose number is another's but for its spelling are flagged, with that number as what was meant. */
export function withAlike<Value extends { id: string }>(
  rows: readonly Row<Value>[],
  alike: RosterPreview['alike'],
): readonly Row<Value>[] {
  if (alike.length === 0) return rows;
  const storedOf = new Map(alike.map((each) => [each.id, each]));
  return rows.map((checked) => {
    const stored = checked.row && storedOf.get(checked.row.id);
    if (!stored) return checked;
    const reason = `저장된 ${stored.name} ${stored.stored} 학생과 같은 사람으로 보입니다`;
    return { ...checked, doubts: [...checked.doubts, { field: 'id', reason, repair: stored.stored }] };
  });
}

/**
 * Who is in no row of a list: neither by another spelling of the number nor in a row that cannot be read yet, where the
 * name or the email counts too, as its number may be lost.
 */
export function reallyMissing<Student extends { id: string; name: string; email: string }>(
  { missing, alike }: { missing: readonly Student[]; alike: RosterPreview['alike'] },
  rows: readonly Row<unknown>[],
): Student[] {
  const meant = new Set(alike.map(({ stored }) => stored));
  const bad = rows.filter(({ row }) => row === undefined).map(({ cells }) => cells);
  const numbers = new Set(bad.map(({ id = '' }) => bareNumber(id)));
  const names = new Set(bad.map(({ name = '' }) => name));
  const emails = new Set(bad.flatMap(({ email = '' }) => (email === '' ? [] : [email.toLowerCase()])));
  return missing.filter(
    ({ id, name, email }) =>
      !meant.has(id) && !numbers.has(bareNumber(id)) && !names.has(name) && !emails.has(email.toLowerCase()),
  );
}
