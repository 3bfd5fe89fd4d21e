/** Finds what is written beside a name or a student number: `김가람-청강`, `※김가람`, `20221333 W`. */
import { groupBy } from '../../../lib/collections.ts';
import { asciiText } from '../../../lib/paste-table.ts';
import { standingOf } from '../../../lib/student-standing.ts';
import { numberIn } from './non-students.ts';

type Whose = { name: string; id: string };

const BRACKETS = /[([{<（［【〔][^)\]}>）］】〕]*[)\]}>）］】〕]?/gu;
/** Names have letters, spaces, middle dots, commas, full stops, apostrophes and hyphens. */
const ODD_BEFORE = /^[^\p{L}]+/u;
const ODD_AFTER = /[^\p{L}\p{M}\s·ㆍ・‧.,'’`-].*$/u;
/** What follows a hyphen, and a letter at the end. Names in Latin letters may have both. */
const KOREAN_AFTER = /(?<=\p{Script=Hangul}) ?-[^-]*$|(?<=\p{Script=Hangul})[A-Za-z]+$/u;
/** Tells apart two students with one name: `김가람A` and `김가람B`. */
const TELLS_APART = /^\P{L}?[\p{L}\p{N}]\P{L}?$/u;
/** A mark that more rows have than one in this many is a part of all names or numbers. */
const RARE = 4;

const isGone = (text: string) => standingOf(text) === 'gone';

/** The text beside a name or a number that says that the student has left the class. */
export function goneMark({ name, id }: Whose): string | undefined {
  const inBrackets = (name.match(BRACKETS) ?? []).map((text) => text.slice(1, -1));
  // Anna Drop is a name.
  const words = name.replace(BRACKETS, ' ').split(isKorean(name) ? /[^\p{L}\p{N}]+/u : /[-_/]/);
  const isBesideName = (word: string) => words.join('').length > word.length + 1;
  return [...inBrackets, ...words.filter(isBesideName), besideNumber(id).replace(/[^\p{L}\p{N}]/gu, '')].find(
    isGone,
  );
}

const isKorean = (name: string) => /\p{Script=Hangul}/u.test(name);

function besideNumber(id: string): string {
  const number = numberIn(id);
  return number.length < 5 ? '' : asciiText(id).replace(number, '').trim();
}

function besideName(name: string): string {
  if (!/\p{L}/u.test(name)) return '';
  const brackets = name.match(BRACKETS)?.join(' ');
  if (brackets !== undefined) return brackets;
  const before = ODD_BEFORE.exec(name)?.[0] ?? '';
  const rest = name.slice(before.length);
  const after = ODD_AFTER.exec(rest) ?? KOREAN_AFTER.exec(rest);
  const words = isKorean(name) ? rest.split(/\s+/) : [];
  const unclear = words.length > 1 ? words.find((word) => standingOf(word) === 'unclear') : undefined;
  return (before || after?.[0] || unclear || '').trim();
}

/** A sentence about each row with a mark that few rows have; empty for all others. */
export function rareMarks(people: readonly Whose[]): string[] {
  const sentences = people.map(() => [] as string[]);
  for (const [field, label, markOf] of [
    ['name', '이름', besideName],
    ['id', '학번', besideNumber],
  ] as const) {
    const marked = people.map((each) => {
      const mark = markOf(each[field]);
      return { mark, base: each[field].replace(mark, '').trim() };
    });
    const kinds = groupBy(marked, ({ mark }) => kindOf(mark));
    const bases = groupBy(marked, ({ base }) => base);
    for (const [at, { mark, base }] of marked.entries()) {
      const isRare = (kinds.get(kindOf(mark))?.length ?? 0) * RARE <= people.length;
      const isTwin =
        field === 'name' && TELLS_APART.test(mark) && !standingOf(mark) && (bases.get(base)?.length ?? 0) > 1;
      if (mark !== '' && isRare && !isTwin) sentences[at]?.push(`${label}에 ‘${mark}’ 표시가 있습니다.`);
    }
  }
  return sentences.map((each) => each.join(' '));
}

/** Marks of a kind begin with the same character, or with any letter or digit. */
const kindOf = (mark: string) => mark.slice(0, 1).replace(/[\p{L}\p{N}]/u, 'a');
