import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { accounts, accountSubject } from './identity-provider/accounts.ts';
import { LEVELS, hasAccess, MEMBER } from '#contract/access-levels';
import type { Department, Subject, SubjectSemester } from '#contract/subjects';

/** Makes the rows for the accounts of the local identity provider. */
export async function demoAccountRows(db: D1Database): Promise<D1PreparedStatement[]> {
  const insert = db.prepare(
    `INSERT INTO users (sub, email, name, univ_id, univ_id_verified_at, secure_level, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const now = Date.now();
  const rows = accounts.map(async ({ email, name, univId, secureLevel }) =>
    insert.bind(await accountSubject(email), email, name, univId, now, secureLevel, now),
  );
  return await Promise.all(rows);
}

export async function hasAccounts(db: D1Database): Promise<boolean> {
  const subs = await Promise.all(accounts.map(({ email }) => accountSubject(email)));
  const found = db.prepare('SELECT count(*) AS n FROM users WHERE sub IN (SELECT value FROM json_each(?))');
  return (await found.bind(JSON.stringify(subs)).first<number>('n')) === subs.length;
}

/** Makes the rows for courses, students, timetables and the ledger. */
export function demoRows(db: D1Database, now: Date): D1PreparedStatement[] {
  const course = db.prepare(
    `INSERT INTO courses (year, semester, subject, subject_en, target, target_etc, target_etc_en)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
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
  targetEtcEn: string,
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
      rows.push([year, 1, subject, subjectEn, target, etc, '']);
    for (const [subject, subjectEn, target, etc] of fall)
      rows.push([year, 3, subject, subjectEn, target, etc, '']);
  }
  rows.push([
    thisYear,
    2,
    '센서 보드 만들기',
    'Building a Sensor Board',
    0,
    '고교생 여름 캠프',
    'High school summer camp',
  ]);
  rows.push([thisYear - 1, 4, '연구 방법론', 'Research Methods', 7, '', '']);
  return rows;
}

/* The demo ledger has monthly purchases, income, and the members who have paid their dues. */

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

/** The ledger of the last three years. Some of its entries are dues that members have paid. */
function demoLedger(db: D1Database, now: Date): D1PreparedStatement[] {
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

const STUDENTS = 120;
const surnames = ['강', '고', '남', '도', '류', '문', '백', '서', '연', '임', '채', '표'];
const givenNames = ['가온', '나래', '다온', '라온', '마루', '보람', '새봄', '아름', '한별', '햇살'];
const departments = ['컴퓨터공학부', '인공지능학과', '전자공학과'];

/** Made-up students of three courses in the last two terms. */
function demoRoster(db: D1Database, thisYear: number): D1PreparedStatement[] {
  const courses = [
    { year: thisYear - 1, semester: 2, subject: '운영체제', every: 2 },
    { year: thisYear, semester: 1, subject: '임베디드 시스템', every: 1 },
    { year: thisYear, semester: 1, subject: '컴퓨터 네트워크', every: 3 },
  ];
  const students = Array.from({ length: STUDENTS }, (_, index) => demoStudent(index, thisYear));
  const student = db.prepare(
    'INSERT INTO students (id, name, department, tel, email) VALUES (?, ?, ?, ?, ?)',
  );
  const enrolment = db.prepare(
    'INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return [
    ...students.map(({ id, name, department, tel }) =>
      student.bind(id, name, department, tel, `${id}@univ.test`),
    ),
    ...courses.flatMap(({ year, semester, subject, every }) =>
      students
        .filter((_, index) => index % every === 0)
        .map(({ id, entered }, index) =>
          enrolment.bind(
            id,
            year,
            semester,
            subject,
            index + 1,
            year - entered,
            index % 17 === 5 ? '복학' : '재학',
          ),
        ),
    ),
  ];
}

function demoStudent(index: number, thisYear: number) {
  const entered = thisYear - 2 - (index % 3);
  const surname = surnames[index % surnames.length] ?? '';
  const given = givenNames[Math.floor(index / surnames.length) % givenNames.length] ?? '';
  return {
    id: `${entered}9${String(1000 + index * 7).padStart(4, '0')}`,
    name: surname + given,
    department: departments[index % departments.length] ?? '',
    // Telephone numbers below 010-0000 belong to nobody.
    tel: index % 11 === 3 ? '' : `010-0000-${String(1000 + index * 37).padStart(4, '0')}`,
    entered,
  };
}

type Lesson = [
  name: string,
  year: number,
  type: string,
  score: number,
  prof: string,
  time: string,
  room: string,
];

const lessons: Record<'aics' | 'cs', Partial<Record<SubjectSemester, Lesson[]>>> = {
  aics: {
    spring: [
      ['인공지능 개론', 1, '전공필수', 3, '노을', '월1,2,3', '공5호관 201'],
      ['선형대수', 1, '전공기초', 3, '한결', '화(10:30-11:45) 목(10:30-11:45)', '공5호관 204'],
      ['기계학습', 3, '전공선택', 3, '노을', '수5~7', '공5호관 201'],
      ['컴퓨터 비전', 4, '전공선택', 3, '윤슬', '수6,7,8', '공5호관 201'],
      ['자연어 처리', 4, '전공선택', 3, '한결', '금2,3,4', '공5호관 310'],
      ['캡스톤 디자인', 4, '전공필수', 2, '윤슬', '협의', ''],
    ],
    fall: [
      ['확률과 통계', 1, '전공기초', 3, '한결', '월4,5 수4', '공5호관 204'],
      ['심층학습', 3, '전공선택', 3, '노을', '화1,2,3', '공5호관 201'],
      ['강화학습', 4, '전공선택', 3, '윤슬', '목5~7', '공5호관 310'],
    ],
  },
  cs: {
    spring: [
      ['프로그래밍 기초', 1, '전공필수', 3, '다솔', '월1,2 수1', '공4호관 101'],
      ['자료구조', 2, '전공필수', 3, '은하', '화3,4 목3', '공4호관 102'],
      ['컴퓨터 네트워크', 2, '전공선택', 3, '여울', '월5,6,7', '공4호관 205'],
      ['임베디드 시스템', 3, '전공선택', 3, '여울', '수5,6,7', '공4호관 205, 실습실 3'],
      ['데이터베이스', 3, '전공필수', 3, '은하', '금(13:00-15:50)', '공4호관 102'],
      ['컴파일러', 4, '전공선택', 3, '다솔', '월6,7,8', '공4호관 205'],
    ],
    fall: [
      ['이산수학', 1, '전공기초', 3, '다솔', '화1,2 목1', '공4호관 101'],
      ['운영체제', 2, '전공필수', 3, '여울', '월3,4 수3', '공4호관 205'],
      ['사물인터넷', 4, '전공선택', 3, '여울', '금5~7', '실습실 3'],
      ['소프트웨어 공학', 3, '전공선택', 3, '은하', '수(09:00-11:50)', '공4호관 102'],
    ],
  },
};

/** Made-up timetables of two departments for the year. */
function demoTimetables(db: D1Database, year: number): D1PreparedStatement[] {
  const insert = db.prepare('INSERT INTO subjects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return demoTerms().map(({ department, semester, subject }) =>
    insert.bind(
      department,
      year,
      semester,
      subject.id,
      subject.name,
      subject.year,
      subject.type,
      subject.score,
      subject.prof,
      subject.time,
      subject.classroom,
      subject.etc,
    ),
  );
}

function demoTerms(): { department: Department; semester: SubjectSemester; subject: Subject }[] {
  return (['aics', 'cs'] as const).flatMap((department) =>
    (['spring', 'fall'] as const).flatMap((semester) =>
      (lessons[department][semester] ?? []).map(
        ([name, year, type, score, prof, time, classroom], index) => ({
          department,
          semester,
          subject: {
            id: `${department.toUpperCase()}${semester === 'spring' ? 1 : 2}${String(index + 1).padStart(3, '0')}-01`,
            name,
            year,
            type,
            score,
            prof,
            time,
            classroom,
            etc: '',
          },
        }),
      ),
    ),
  );
}
