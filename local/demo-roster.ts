import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import type { Department, Subject, SubjectSemester } from '#contract/subjects';

const STUDENTS = 120;
const surnames = ['강', '고', '남', '도', '류', '문', '백', '서', '연', '임', '채', '표'];
const givenNames = ['가온', '나래', '다온', '라온', '마루', '보람', '새봄', '아름', '한별', '햇살'];
const departments = ['컴퓨터공학부', '인공지능학과', '전자공학과'];

/** Made-up students of three courses in the last two terms. */
export function demoRoster(db: D1Database, thisYear: number): D1PreparedStatement[] {
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
    // Numbers below 010-0000 are not assigned to anybody.
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
export function demoTimetables(db: D1Database, year: number): D1PreparedStatement[] {
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
