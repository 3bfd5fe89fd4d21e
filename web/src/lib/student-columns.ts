import { asciiText, labelList, type Synonyms } from './paste-table.ts';

export type StudentColumn = 'no' | 'id' | 'name' | 'department' | 'year' | 'type' | 'tel' | 'email';

/** Labels of a column of family names, beside a column of given names. */
export const familyNameColumns = ['성', '성씨', 'last name', 'family name', 'surname'];

/** `김가람`, but `Anne Able`. The column beside the family names may have full names already. */
export function fullName(family: string, given: string): string {
  if (family === '' || given === '') return family + given;
  if (/\p{Script=Hangul}/u.test(family))
    return given.startsWith(family) && given.length > family.length + 1 ? given : family + given;
  const words = given.toLowerCase().split(/[\s,]+/);
  return words.length > 1 && words.includes(family.toLowerCase()) ? given : `${given} ${family}`;
}

/** A student number for comparing: hyphens, full width, `.0` and leading zeros make no difference. */
export function bareStudentNumber(id: string): string {
  return asciiText(id)
    .replace(/\.0+$/, '')
    .replace(/[\s-]/g, '')
    .replace(/^0+(?=.)/, '')
    .toUpperCase();
}

/** The labels of a contact, those that say that it is the student's own first: `본인 연락처`, `휴대폰(학생)`. */
function withOwn(labels: readonly string[]): string[] {
  const own = ['본인', '학생', 'student'];
  return [...labels.flatMap((label) => own.flatMap((word) => [word + label, label + word])), ...labels];
}

/** Whether a column is about somebody else than the student: `휴대폰(보호자)`, `연락처(모)`, but not `학과(부)`. */
export const isOfOtherPerson = (label: string): boolean =>
  /보호자|부모|비상|긴급|가족|아버지|어머니|(?<![과공])[([][부모父母][)\]]|guardian|parent|emergency|father|mother/i.test(
    label.replace(/\s/g, ''),
  );

/** Labels of a student list's columns, as university systems and hand-made lists use them. */
export const studentColumns: Synonyms<StudentColumn> = {
  no: labelList('순번, 번호, 연번, 일련번호, 순서, No, number, serial, serial no, serial number'),
  id: labelList(
    '학번, 학생번호, 학번/직번, sis user id, student sis id, sis id, student id, student no, student number, sid, 학생 ID, ID 번호, id number, id',
  ),
  name: labelList(
    '이름, 성명, 성함, 실명, 학생명, 학생이름, 학생성명, 한글이름, 한글성명, 성/이름, 이름/성, name, student name, full name, first name, given name',
  ),
  department: labelList(
    '학과, 학과명, 전공, 전공명, 소속, 소속학과, 소속학부, 학부, 학부명, 학과/전공, 학과/학부, 학부/학과, 학부/전공, 학과(부)',
    '주전공, department, dept, major',
  ),
  year: labelList('학년, year, school year'),
  type: labelList(
    '학적상태, 학적, 학적구분, 상태, 구분, 신분, 신분구분, 재학구분, 재학상태, 재학여부, 학생구분, status, type',
  ),
  tel: withOwn(
    labelList(
      // A mobile number comes before a number that may be a landline.
      '휴대폰, 휴대폰번호, 휴대전화, 휴대전화번호, 핸드폰, 핸드폰번호, HP, H.P., mobile, mobile phone, cell phone',
      '연락처, 전화번호, 전화, tel, phone, phone number, phone 1 - value',
    ),
  ),
  email: withOwn(
    labelList(
      '이메일, 이메일주소, 학교메일, 학교이메일, 전자우편, 전자메일, 메일, 메일주소, E-mail, mail, e-mail address',
    ),
  ),
};
