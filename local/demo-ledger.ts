import { LEVELS, hasAccess, MEMBER } from '#contract/access-levels';
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { accounts } from './identity-provider/accounts.ts';

/* A plausible lab account: monthly purchases, income, and who has paid the dues. */

const MONTHS = 36;
const DUES = 50_000;

const purchases: [description: string, won: number, category: string][] = [
  ['복사 용지와 토너', 38_500, '사무용품'],
  ['세미나 다과', 24_300, '다과·회식'],
  ['커피 원두', 31_000, '다과·회식'],
  ['센서 보드 배터리', 17_600, '실험 재료'],
  ['납땜 소모품', 12_900, '실험 재료'],
  ['시료 택배비', 5_500, ''],
  ['정수기 필터', 42_000, ''],
  ['연구실 회식', 86_000, '다과·회식'],
  ['화분 흙과 비료', 14_200, '실험 재료'],
  ['USB 케이블과 허브', 27_800, '사무용품'],
];
const A_MONTH = 8;
const LAB_LEVELS = `(${LEVELS.filter((level) => hasAccess(level, MEMBER)).join(', ')})`;

/** The account of the last three years, and the dues that its entries paid. */
export function demoLedger(db: D1Database, now: Date): D1PreparedStatement[] {
  const people = accounts.filter(({ secureLevel }) => hasAccess(secureLevel, MEMBER));
  const names = people.map(({ name }) => name).concat('졸업생 윤슬');
  const rows = Array.from({ length: MONTHS }, (_, at) => MONTHS - 1 - at).flatMap((ago) =>
    monthRows(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)), names),
  );
  const today = now.toISOString().slice(0, 10);
  const past = rows.filter(([day]) => day <= today).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return [
    db
      .prepare(
        `INSERT INTO ledger_entries (datetime, amount, description, category)
         SELECT value ->> 0 || 'T13:00:00', value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
      )
      .bind(JSON.stringify(past)),
    db.prepare(
      `INSERT INTO dues (year, semester, user_id, name, entry_id)
       SELECT substr(datetime, 1, 4), iif(substr(datetime, 6, 2) = '03', 1, 2), users.id, users.name, entry.id
       FROM ledger_entries AS entry JOIN users ON description LIKE '%학기 회비 ' || users.name
       WHERE users.id <> (SELECT max(id) FROM users WHERE secure_level IN ${LAB_LEVELS})`,
    ),
  ];
}

type Row = [day: string, won: number, description: string, category: string];

function monthRows(month: Date, names: string[]): Row[] {
  const [year, number] = [month.getUTCFullYear(), month.getUTCMonth() + 1];
  const day = (date: number) => `${month.toISOString().slice(0, 8)}${String(date).padStart(2, '0')}`;
  const rows: Row[] = [[day(1), 300_000, `${number}월 연구실 운영비`, '운영비']];
  if (number === 3 || number === 9) {
    const term = `${year}년 ${number === 3 ? 1 : 2}학기`;
    for (const [at, name] of names.entries()) rows.push([day(4 + at), DUES, `${term} 회비 ${name}`, '회비']);
  }
  for (let at = 0; at < A_MONTH; at++) {
    const turn = (year * 12 + number) * A_MONTH + at;
    const [description, won, category] = purchases[(turn * 7) % purchases.length] ?? ['소모품', 10_000, ''];
    rows.push([day(2 + ((turn * 11) % 26)), -(won + ((turn * 37) % 90) * 100), description, category]);
  }
  return rows;
}
