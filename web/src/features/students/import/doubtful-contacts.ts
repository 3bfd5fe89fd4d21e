import { phoneText } from '#contract/phone';
import type { RosterRow } from '#contract/students';
import { isEmail } from '../../../lib/form-problems.ts';

/** A contact that can be stored but looks wrong. */
export type Doubt = { field: 'tel' | 'email'; reason: string; repair?: string };

/** As written by phoneText(): numbers without an area code, and foreign ones. */
const PHONE = /^(?:02|0\d\d)-\d{3,4}-\d{4}$|^1[568]\d\d-?\d{4}$|^(?:\+|00)[1-9][\d\s().-]{6,20}$/;
/** What a spreadsheet leaves of 010-1234-5678 or 02-123-4567 after converting them to numbers. */
const WITHOUT_ZERO = /^(?:1[016-9]|70|[3-6]\d)\d{7,8}$|^2\d{7,8}$/;
const SHORTENED = /^\d+(?:\.\d+)?e[+-]\d+$/i;

/** Whether a spreadsheet has shortened a long number to an exponent, which loses its last digits. */
export const isShortened = (text: string) => SHORTENED.test(text);

/** Suspicious contacts of a row. An empty cell is fine. */
export function doubtsOf({ tel, email }: Pick<RosterRow, 'tel' | 'email'>): Doubt[] {
  const doubts: Doubt[] = [];
  if (tel !== '' && !PHONE.test(tel)) doubts.push({ field: 'tel', ...phoneDoubt(tel) });
  if (email !== '' && !isEmail(email)) {
    doubts.push({ field: 'email', reason: '이메일 주소가 아닙니다', ...emailRepair(email) });
  }
  return doubts;
}

function phoneDoubt(tel: string): Pick<Doubt, 'reason' | 'repair'> {
  if (isShortened(tel)) return { reason: '지수 표기로 바뀐 전화번호입니다' };
  const digits = tel.replace(/[\s().-]/g, '');
  const repair = WITHOUT_ZERO.test(digits) ? phoneText(`0${digits}`) : '';
  if (PHONE.test(repair)) return { reason: '맨 앞의 0이 없습니다', repair };
  return { reason: '전화번호가 아닙니다' };
}

/** `mailto:a@b.kr`, `홍길동 <a@b.kr>`, `a@b,kr`, `a @b.kr` */
function emailRepair(email: string): Pick<Doubt, 'repair'> {
  const bracketed = /<([^<>]*)>/.exec(email)?.[1] ?? email;
  const repair = bracketed
    .replace(/^mailto:/i, '')
    .replace(/\s/g, '')
    .replaceAll(',', '.')
    .replace(/^[.;:"']+|[.;:"']+$/g, '');
  return isEmail(repair) ? { repair } : {};
}
