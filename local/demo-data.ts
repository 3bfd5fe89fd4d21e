import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { accounts, subjectOf } from './identity-provider/accounts.ts';
import { demoLedger } from './demo-ledger.ts';
import { demoRoster, demoTimetables } from './demo-roster.ts';

/** The accounts of the local identity provider. */
export async function accountRows(db: D1Database): Promise<D1PreparedStatement[]> {
  const insert = db.prepare(
    `INSERT INTO users (sub, email, name, univ_id, univ_id_verified_at, secure_level, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const now = Date.now();
  const rows = accounts.map(async ({ email, name, univId, secureLevel }) =>
    insert.bind(await subjectOf(email), email, name, univId, now, secureLevel, now),
  );
  return await Promise.all(rows);
}

/** Whether all of them are there. */
export async function hasAccounts(db: D1Database): Promise<boolean> {
  const subs = await Promise.all(accounts.map(({ email }) => subjectOf(email)));
  const found = db.prepare('SELECT count(*) AS n FROM users WHERE sub IN (SELECT value FROM json_each(?))');
  return (await found.bind(JSON.stringify(subs)).first<number>('n')) === subs.length;
}

/** Courses, students, timetables and the account, to be added with the accounts. */
export function demoRows(db: D1Database, now: Date): D1PreparedStatement[] {
  const course = db.prepare(
    'INSERT INTO courses (year, semester, subject, subject_en, target, target_etc) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const thisYear = now.getFullYear();
  return [
    ...demoCourses(thisYear).map((row) => course.bind(...row)),
    ...demoRoster(db, thisYear),
    ...demoTimetables(db, thisYear),
    ...demoLedger(db, now),
  ];
}

type CourseRow = [
  year: number,
  semester: number,
  subject: string,
  subjectEn: string,
  target: number,
  targetEtc: string,
];

function demoCourses(thisYear: number): CourseRow[] {
  const spring: [string, string, number, string][] = [
    ['임베디드 시스템', 'Embedded Systems', 3, ''],
    ['컴퓨터 네트워크', 'Computer Networks', 2, ''],
    ['저전력 무선 네트워크', 'Low Power Wireless Networks', 5, ''],
  ];
  const fall: [string, string, number, string][] = [
    ['사물인터넷', 'Internet of Things', 4, ''],
    ['운영체제', 'Operating Systems', 2, ''],
    ['사이버물리시스템 특론', 'Advanced Cyber-Physical Systems', 6, ''],
  ];
  const rows: CourseRow[] = [];
  for (let year = thisYear - 3; year <= thisYear; year++) {
    for (const [subject, subjectEn, target, etc] of spring)
      rows.push([year, 1, subject, subjectEn, target, etc]);
    for (const [subject, subjectEn, target, etc] of fall)
      rows.push([year, 3, subject, subjectEn, target, etc]);
  }
  rows.push([thisYear, 2, '센서 보드 만들기', 'Building a Sensor Board', 0, '고교생 여름 캠프']);
  rows.push([thisYear - 1, 4, '연구 방법론', 'Research Methods', 7, '']);
  return rows;
}
