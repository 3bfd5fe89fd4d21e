import type { Due } from '#contract/dues';
import { normalizeText } from '#contract/printable-text';
import { parsePastedRows } from '../../../lib/paste-table.ts';
import { plainWords } from '../../../lib/search-text.ts';

/**
 * Reads names from a text field: one per line, or separated by commas or semicolons (not by a comma within a
 * number). In a table, reads the column with a header for names, or else the only column of names. The result
 * may contain ditto marks and cells with several lines; checkNames() then asks the user.
 * @returns undefined if several columns may contain the names
 */
export function parseNames(text: string): string[] | undefined {
  // Removes the commas of amounts, which the table reader would take for separators.
  const rows = parsePastedRows(text.replaceAll(/[\u2028\u2029]/g, '\n').replaceAll(/(?<=\d),(?=\d{3})/g, ''));
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const lines = text.trim().split(/[\r\n]+/);
  const isTable = lines.length > 1 && lines.every((line) => line.includes('\t'));
  const cells = isTable ? columnOfNames(rows, width) : rows.flat();
  const all = cells?.flatMap((cell) => cell.split(cells.length === 1 ? ONE_CELL : /[,;]/)).map(linesOf);
  return all?.filter((name) => /[\p{L}"〃]/u.test(name));
}

/** Separates the names in a single cell; a list number is a separator too: `1. 김가람 2. 이나래`. */
const ONE_CELL = /[,;\n]|\s(?=\d{1,3}[.)]\s)/;

/** A cell's normalised lines. Several lines may be one name or several names. */
const linesOf = (cell: string) => cell.split('\n').map(normalizeText).filter(Boolean).join('\n');

/** `given`: the typed text. `name`: the name to add, empty for nobody. `reason`: why the user is asked. */
export type CheckedName = { given: string; name: string; reason?: string };

/** Checks names before people are added; doubtful names get a reason. */
export function checkNames(givenNames: readonly string[], dues: readonly Due[]): CheckedName[] {
  const users = new Set(namesOfUsers(givenNames, dues));
  const seen = new Set<string>();
  return givenNames.map((given) => {
    const checked = checkName(given, users);
    const isRepeated = checked.name !== '' && seen.has(plainWords(checked.name));
    seen.add(plainWords(checked.name));
    if (!isRepeated) return checked;
    const reason = '같은 이름이 또 있습니다. 다른 사람이면 ‘김가람2’처럼 구별해 쓰세요';
    return { given, name: '', reason };
  });
}

function checkName(given: string, users: ReadonlySet<string>): CheckedName {
  if (NAMES.test(given) || SUMS.test(given))
    return { given, name: '', reason: '표의 머리글이나 합계로 보입니다' };
  if (!/\p{L}/u.test(given)) return { given, name: '', reason: '이름이 아닌 표시입니다' };
  if (given.includes('\n'))
    return {
      given,
      name: given.replaceAll('\n', ' '),
      reason: '한 칸에 여러 줄이 있습니다. 여러 사람이면 한 줄에 한 명씩 쓰세요',
    };
  if (users.has(given)) return { given, name: '', reason: '이미 명단에 있는 사용자의 이름입니다' };
  const bare = normalizeText(given.replace(STATE, ''));
  if (bare !== given) return { given, name: bare, reason: '이름 뒤에 다른 말이 적혀 있습니다' };
  if (SEVERAL.test(given)) return { given, name: given, reason: '여러 사람이면 쉼표로 나누어 쓰세요' };
  if (NAME.test(given) || TOLD_APART.test(given)) return { given, name: given };
  const name = normalizeText(given.replaceAll(NUMBER, ' '));
  const reason = /\d/.test(given) ? '번호나 금액이 섞여 있습니다' : '이름에 쓰이지 않는 글자가 있습니다';
  return { given, name, reason };
}

/** Several Korean names with spaces: `정하늘 오세훈`. `김 가람` is one name: a single letter is a family name. */
const SEVERAL = /^\p{Script=Hangul}{2,5}(?: \p{Script=Hangul}{2,5})+$/u;
const TOLD_APART = /^\p{Script=Hangul}{2,5} ?[A-Za-z\d]$/u;
/** Numbers beside a name: `1. `, `202510001 `, `50,000원`, `(3)` */
const NUMBER = /[(#]?\d[\d.,-]*\s*(?:만?원|번|명|차)?(?!\p{L})[.):]?/gu;
const NAMES = /^(?:이름|성명|성함|학생명|납부자|name)$/i;
const SUMS = /^(?:합계|총계|소계|계|합|평균|인원|날짜|납부일|금액|학번|학과|비고|total|sum)$/i;
/** Notes after a name in a list: `김가람 - 미납`, `김가람(휴학)` */
const STATE =
  /(?<=.)(?:\s?님|\s+-\s+.*|\s*[○◯O×✕xX✓✔]|[\s(/]+(?:미납|완납|납부|면제|환불|예정|휴학|재학|졸업|수료)\)?)$/u;
/** NAME matches a possible name; PLACE matches words that only look like names, such as departments. */
const NAME = /^(?:\p{Script=Hangul}{2,5}|[\p{L}][\p{L} .'-]{1,48})$/u;
const PLACE = /(?:학과|학부|전공|대학원?|학년|연구실|재학|휴학|졸업|수료)$/;

function columnOfNames(rows: string[][], width: number): string[] | undefined {
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  const titled = columns.find(([first = '']) => NAMES.test(normalizeText(first)));
  if (titled) return titled.slice(1);
  const isName = (cell: string) => NAME.test(normalizeText(cell)) && !PLACE.test(normalizeText(cell));
  const [only, ...more] = columns.filter(
    (column) => column.some(isName) && column.every((cell) => cell === '' || isName(cell)),
  );
  return more.length > 0 ? undefined : only;
}

/** The names that equal the name of a user on the list. */
export function namesOfUsers(names: readonly string[], dues: readonly Due[]): string[] {
  const users = new Set(dues.filter(({ user_id }) => user_id !== null).map(({ name }) => plainWords(name)));
  return names.filter((name) => users.has(plainWords(name)));
}
