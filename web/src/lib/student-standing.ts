/** Finds the words by which a table says that a student has left the class, for rosters and scores alike. */
import { labelKey } from './paste-table.ts';

const GONE =
  '(?:수강|과목|강의|학점)?(?:신청)?(?:취소|포기|철회|삭제|드롭|드랍)|중도포기|중도탈락|탈퇴|휴학|자퇴|제적|퇴학|청강|수강안함|미수강|미등록|withdr(?:ew|awn?|awal)|drop(?:ped)?|audit(?:or|ing|ed)?|cancel{1,2}ed|onleave|leaveofabsence|suspended|denied|rejected|거절|반려|[미불]승인';
const IS_GONE = new RegExp(
  `^(?:\\d+[월일]?)*(?:일반|군|질병|가사|육아|창업|출산|임신|자진|단순)?(?:${GONE})(?:생|자|중|처리|완료|함|학생|신청)?\\d*$`,
);
const MAY_BE_GONE = new RegExp(
  `${GONE}|결시|미응시|^(?:f|w|i|au|nr)(?![a-z])|^(?:inactive|no)$|f$|추가시험|추시|보류|미완|추후입력|낙제|출석(?:일수)?미달|incomplete|dishonest|failure|초과결석|타분반|드[랍롭]|부정행위|입대|cheat|plagiari|학사경고|교환학생|절대|^(?:pf|pnp|su|passfail)`,
);
/** Matches words for having left the class, also within a longer text: `수강취소(3/12)`. */
export const LEFT_CLASS =
  /수강(?:\s?신청)?\s?(?:취소|철회|포기|삭제)|^(?:취소|철회|포기)$|withdr[ae]w|dropped/i;

/** Whether a remark says that a student has left the class, or leaves open whether the student is graded. */
export function standingOf(remark: string): 'gone' | 'unclear' | undefined {
  const text = labelKey(remark);
  if (IS_GONE.test(text)) return 'gone';
  return MAY_BE_GONE.test(text) ? 'unclear' : undefined;
}

/** The remark in brackets after a name: `휴학` in `김가람(휴학)`. */
export const remarkOfName = (name: string): string => /[([]([^)\]]+)[)\]]\s*$/.exec(name)?.[1] ?? '';

/** Cell values of somebody on a waiting list, or of a guest or a teacher. */
const NO_STUDENT =
  /^(?:수강\s?)?(?:대기|예비|청강)(?:[자생]|\s?\d+(?:번|순위)?)?$|^(?:담당|책임)?\s?(?:교수자?|교원|강사|조교|선생님?)$|\s교수자?$|^(?:guest|observer|wait-?list(?:ed)?)$|^(?:teach(?:er|ing assistant)|instructor|professor|ta|assistant|staff)$/i;
/** Labels of columns that name a teacher of the student. */
const TEACHER_LABEL = /교수|지도|담당|조교|강사|advis|instructor|teacher/i;
export const isNoStudent = (label: string, cell: string): boolean =>
  NO_STUDENT.test(cell.trim()) && !TEACHER_LABEL.test(label);

/** Columns that say of each row whether the student takes the class. */
const TAKES = /^(?:수강|재학|등록|활성)\s?여부$|^(?:availab(?:le|ility)|active|enrolled)$|taking this/i;
/** A grade of W stands for somebody who has withdrawn. */
const GRADE = /^(?:학점|성적|등급|(?:official\s)?grade|grad(?:e|ing)\s?basis)$/i;
const NO_GRADE = /^(?:w|wd|aud?|nr|nc)$/i;
const NO = /^(?:[xn0]|no|false|아니오)$/i;
const LEFT_ON =
  /(?:취소|철회|포기|드[랍롭]|탈퇴|삭제)\s?(?:일|일자|일시|날짜|여부|구분)?$|(?:drop|withdraw)\w*\s?date|^(?:suspended|deleted|dropped|w)$/i;
const NO_VALUE = /^(?:|[-xn0]|no|false|아니오|없음|해당\s?없음)$/i;

/** Whether a cell says that the student has left, in a column such as 철회일, 취소여부 or 수강여부. */
export const saysLeft = (label: string, cell: string): boolean =>
  (LEFT_ON.test(label.trim()) && !NO_VALUE.test(cell.trim())) ||
  (TAKES.test(label.trim()) && NO.test(cell.trim())) ||
  (GRADE.test(label.trim()) && NO_GRADE.test(cell.trim()));
