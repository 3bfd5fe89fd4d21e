/**
 * Published grading rules of Korean universities. Regulations change, so `source.date` says on which day each
 * source had these rules. docs/grading.md says how each regulation was found.
 */
import type { GradeScale } from './grades.ts';

/**
 * Caps in percent of the counted students. Without `upToB`, everybody without an A may have a B; `b` limits B
 * alone, however few have an A.
 */
type Caps = { a: number; upToB?: number; b?: number; plus?: number };

export type CourseKind = {
  name: string;
  /** The class sizes for which the kind applies; any size if absent. */
  atLeast?: number;
  atMost?: number;
  /** `absolute`: graded by score, without caps. */
  caps: Caps | 'absolute';
};

export type Regulation = {
  id: string;
  university: string;
  /** When the rule took effect, if the source says so. */
  since: string;
  source: { url: string; date: string; note?: string };
  scale: GradeScale;
  kinds: readonly CourseKind[];
  /** Students who are not counted and get no seat. */
  outside: readonly string[];
  /** Percentage of absences from which a student fails: 25.01 if only more than a quarter is a fail. */
  absences?: number;
};

export const REGULATIONS: readonly Regulation[] = [
  {
    id: 'snu',
    university: '서울대학교',
    since: '2017년 학업성적 처리 규정 제4조',
    source: {
      url: 'http://www.snujn.com/index.php?mid=news&category=114&document_srl=33143',
      date: '2017-06-26',
      note: '서울대저널이 인용한 조문',
    },
    scale: 'minus',
    kinds: [{ name: '상대평가 교과목', caps: { a: 30, upToB: 70 } }],
    outside: [],
  },
  {
    id: 'seoultech',
    university: '서울과학기술대학교',
    since: '학교 누리집의 성적 안내',
    source: { url: 'https://cn.seoultech.ac.kr/acad/under/admin/grades', date: '날짜 없음' },
    scale: 'plus',
    kinds: [
      { name: '상대평가', atLeast: 10, caps: { a: 30, upToB: 70, plus: 50 } },
      { name: '고급 상대평가 (영어 전용, 졸업학년 전공, 창업)', caps: { a: 40, upToB: 80, plus: 50 } },
      { name: '수강 인원 10명 미만', atMost: 9, caps: { a: 40, upToB: 80, plus: 50 } },
    ],
    outside: [],
    absences: 33.34,
  },
  {
    id: 'hannam',
    university: '한남대학교',
    since: '2023년 학사 안내',
    source: { url: 'http://hnu.kr/kor/guide/guide_03_11.html', date: '2023-03-14' },
    scale: 'minus',
    kinds: [
      { name: '수강 인원 16명 이상', atLeast: 16, caps: { a: 35, upToB: 75 } },
      { name: '수강 인원 15명 이하', atMost: 15, caps: { a: 40 } },
    ],
    outside: [],
  },
  {
    id: 'hannam-2019',
    university: '한남대학교 (2019학년도 1학기)',
    since: '2019학년도 1학기',
    source: {
      url: 'http://hnu.kr/kor/community/community_01_9.html?isGongjiPostList=N&pPageNo=28&pPostNo=93062&pRowCount=30',
      date: '2019-06-18',
    },
    scale: 'minus',
    kinds: [
      { name: '교양과목', atLeast: 16, caps: { a: 25, upToB: 60 } },
      { name: '전공과목', atLeast: 16, caps: { a: 30, upToB: 60 } },
      { name: '교직과목', atLeast: 16, caps: { a: 35, upToB: 75 } },
      { name: '교양, 15명 이하 또는 실험·실습·실기', caps: { a: 25, upToB: 70 } },
      { name: '전공, 15명 이하 또는 실험·실습·실기', caps: { a: 30, upToB: 70 } },
    ],
    outside: [
      '체육특기자',
      '교류학생',
      '타 대학 온라인강좌 수강생',
      '외국인유학생',
      '군 위탁생',
      '시간제 학생',
    ],
  },
  {
    id: 'dongguk',
    university: '동국대학교',
    since: '2015학년도 1학기부터',
    source: {
      url: 'http://www.dgupress.com/news/articleView.html?idxno=25177',
      date: '2014년',
      note: '동대신문',
    },
    scale: 'plus',
    kinds: [
      { name: '교양·전공기초, 전공전문, 외국어강의', atLeast: 10, caps: { a: 30, upToB: 70 } },
      { name: '실험실습', atLeast: 10, caps: { a: 35, upToB: 75 } },
      { name: '교직·평생교육', atLeast: 10, caps: { a: 30 } },
      { name: '수강생 9명 이하', atMost: 9, caps: 'absolute' },
    ],
    outside: [],
  },
  {
    id: 'inha',
    university: '인하대학교',
    since: '성적처리 및 보고에 관한 내규 개정',
    source: {
      url: 'http://www.inhapress.com/news/articleView.html?idxno=8261',
      date: '날짜 없음',
      note: '인하대학신문',
    },
    scale: 'plus',
    kinds: [
      { name: '일반', atLeast: 21, caps: { a: 35, upToB: 80 } },
      { name: '실험·실습, 전공집중', caps: { a: 40, upToB: 90 } },
      { name: '수강 인원 20명 이하', atMost: 20, caps: { a: 40, upToB: 90 } },
    ],
    outside: [],
  },
  {
    id: 'cau',
    university: '중앙대학교',
    since: '2022학년도 1학기',
    source: { url: 'http://21unews.com/xe/uni/116083', date: '2022년', note: '21세기대학뉴스' },
    scale: 'plus',
    kinds: [
      { name: '2022학년도 1학기 (완화)', caps: { a: 50, upToB: 90 } },
      { name: '코로나19 이전', caps: { a: 35, upToB: 70 } },
    ],
    outside: [],
  },
  {
    id: 'skku',
    university: '성균관대학교',
    since: '2022학년도 1학기',
    source: { url: 'http://21unews.com/xe/uni/116083', date: '2022년', note: '21세기대학뉴스' },
    scale: 'plus',
    kinds: [{ name: '상대평가', caps: { a: 50, upToB: 90 } }],
    outside: [],
  },
  {
    id: 'ewha',
    university: '이화여자대학교',
    since: '2014년 학칙시행세칙 제34조',
    source: {
      url: 'http://inews.ewha.ac.kr/news/articleView.html?idxno=11451',
      date: '2014년',
      note: '이대학보',
    },
    scale: 'minus',
    kinds: [{ name: '상대평가 교과목', caps: { a: 35, upToB: 75, b: 50 } }],
    outside: [],
  },
  {
    id: 'hanyang-2024',
    university: '한양대학교 (서울, 2024학년도부터)',
    since: '2024학년도 1학기부터',
    source: {
      url: 'https://policy.hanyang.ac.kr/front/communication/notice/view?id=1384&page=11',
      date: '2024-02-06',
    },
    scale: 'plus',
    kinds: [
      { name: '상대평가1 (이론)', atLeast: 10, caps: { a: 30, upToB: 70 } },
      { name: '상대평가2 (이론+실습)', atLeast: 20, caps: { a: 40, upToB: 80 } },
      { name: '상대평가2 (공과대학 외 전공 이론)', atLeast: 16, caps: { a: 40, upToB: 80 } },
      { name: '상대평가4 (공과대학 외 전공 이론)', atLeast: 10, atMost: 15, caps: { a: 40 } },
      { name: '절대평가 (이론 10명 미만)', atMost: 9, caps: 'absolute' },
      { name: '절대평가 (이론+실습 20명 미만)', atMost: 19, caps: 'absolute' },
      { name: '절대평가 (실험·실습, 영어 전용, 교직 등)', caps: 'absolute' },
    ],
    outside: [],
  },
  {
    id: 'hanyang',
    university: '한양대학교 (서울, 2022학년도)',
    since: '2022학년도 1학기',
    source: {
      url: 'https://hyds.hanyang.ac.kr/front/notice/unN/view?BoardArticleSearch%5Bcategory%5D=1&id=329&page=27',
      date: '2022년',
    },
    scale: 'plus',
    kinds: [{ name: '상대평가 4', caps: { a: 40 } }],
    outside: [],
  },
  {
    id: 'daegu',
    university: '대구대학교',
    since: '2013학년도 1학기부터',
    source: {
      url: 'https://sociology.daegu.ac.kr/article/table_01/detail/134612?pageIndex=106',
      date: '2013-02-12',
    },
    scale: 'plus',
    kinds: [{ name: '상대평가 교과목', caps: { a: 20, upToB: 60, b: 40 } }],
    outside: [],
  },
  {
    id: 'cuk',
    university: '고려사이버대학교',
    since: '학교 누리집의 성적 안내',
    source: { url: 'https://eng.cuk.edu/cms/FrCon/index.do?MENU_ID=1510', date: '날짜 없음' },
    scale: 'plus',
    kinds: [
      { name: '상대평가', caps: { a: 30, upToB: 70 } },
      { name: '실습 등 절대평가', caps: 'absolute' },
    ],
    outside: [],
    absences: 25.01,
  },
  {
    id: 'dcu',
    university: '대구사이버대학교',
    since: '2009년 학사 안내',
    source: { url: 'http://english.dcu.ac.kr/2009/s04_academic/s04_main_01_04.htm', date: '2009년' },
    scale: 'plus',
    kinds: [
      { name: '상대평가', caps: { a: 30, upToB: 70, b: 40 } },
      { name: '수강 인원 30명 미만, 자격 과정 (절대평가)', atMost: 29, caps: 'absolute' },
    ],
    outside: [],
    absences: 25.01,
  },
];
