import { parse, type Creator, type Entry } from '@retorquere/bibtex-parser';
import { NARROW_SPACE, withoutPlaceholders, withPlaceholders } from './marked-text.ts';

export type BibtexProblem = { line: number; key?: string; text: string };

export type BibEntry = {
  type: string;
  key: string;
  line: number;
  /** Values with the parser's markup; URLs as written. */
  fields: ReadonlyMap<string, string>;
  names: string[];
  /** The entry for other sites, without fields that only this site knows. */
  plain: string;
  lineOf: (field: string) => number;
};

/** BibTeX fields that only this site knows. */
const OWN_FIELDS = new Set(['pdf', 'code', 'abstract', 'selected', 'preprint-of', 'award']);
/** Fields whose text is used as written, without decoding LaTeX. */
const VERBATIM = ['pdf', 'code', 'doi', 'url', 'eprint', 'selected', 'preprint-of', 'keywords'];
const FUNCTIONS = new Set('arg cos exp inf lim ln log max min sin sup tan'.split(' '));
/** LaTeX commands for typefaces: the page shows the argument and leaves the command out. */
const TYPEFACES = new Set('mathbf mathcal mathit mathsf mathtt operatorname text textsf'.split(' '));
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Limits for the parser's time, which grows fast with nesting, concatenation and the number of `@`. */
const AT_SIGNS_MAX = 2000;
const STRAY_AT_SIGNS_MAX = 100;
const NESTED_MAX = 20;
const ENTRY_LENGTH_MAX = 10_000;
const EXPANDED_MAX = 5_000_000;

/** Reads a BibTeX file. A file with problems gives no entries. */
export function readBibtex(text: string): { entries: BibEntry[]; problems: BibtexProblem[] } {
  const written = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const costly = costlyPart(written);
  if (costly) return { entries: [], problems: [costly] };
  const source = withPlaceholders(written);
  const problems: BibtexProblem[] = [];
  const parsed = parse(source, {
    english: false,
    sentenceCase: false,
    verbatimFields: VERBATIM,
    unsupported: (node, tex, entry: Entry | undefined) => {
      const name = node.type === 'macro' ? node.content : '';
      if (FUNCTIONS.has(name)) return `${NARROW_SPACE}${name}${NARROW_SPACE}`;
      if (TYPEFACES.has(name)) return '';
      problems.push({
        ...placeOf(entry, tex),
        text: `알 수 없는 LaTeX입니다: ${withoutPlaceholders(tex)}`,
      });
      return '';
    },
  });
  const raw = parse(written, {
    raw: true,
    english: false,
    applyCrossRef: false,
    verbatimFields: [/./],
    removeOuterBraces: [],
  });

  // The parser passes over what is outside of entries without a word.
  const outside =
    /^[a-z]+\{[^\s{},="]+,\s*$/im.exec(written) ?? (written.includes('@') ? null : /^[^%\s]/m.exec(written));
  if (outside) {
    const text = '@로 시작하는 항목이 아닙니다. @article{열쇠, 처럼 쓰세요';
    problems.push({ line: lineAt(written, outside.index), text });
  }

  let from = 0;
  const lines = new Map<Entry, number>();
  for (const entry of parsed.entries) {
    from = Math.max(source.indexOf(entry.input, from), 0);
    lines.set(entry, lineAt(source, from));
  }
  function placeOf(entry: Entry | undefined, within: string): { line: number; key?: string } {
    const input = entry?.input ?? within;
    const line = lineAt(source, Math.max(source.indexOf(input), 0));
    if (entry === undefined) return { line };
    return { line: line + lineAt(input, Math.max(input.indexOf(within), 0)) - 1, key: entry.key };
  }

  problems.push(...parsed.errors.map((error) => asProblem(source, error)));
  if (problems.length > 0) return { entries: [], problems };
  const entries = parsed.entries.map((entry, index): BibEntry => {
    const line = lines.get(entry) ?? 1;
    return {
      type: entry.type.toLowerCase(),
      key: entry.key,
      line,
      fields: new Map(Object.entries(entry.fields).map(([name, value]) => [name, asText(value)])),
      names: (entry.fields.author ?? entry.fields.editor ?? []).map(fullName),
      plain: plainEntry(entry, raw.entries[index]?.fields ?? {}),
      lineOf: (field) => line + lineAt(entry.input, fieldAt(entry.input, field)) - 1,
    };
  });
  return { entries, problems };
}

/** A part that would take the parser too long: the file is hostile, or not BibTeX. */
function costlyPart(text: string): BibtexProblem | undefined {
  const at = (offset: number, said: string) => ({ line: lineAt(text, offset), text: said });
  const signs = Array.from(text.matchAll(/@/g), ({ index }) => index);
  const starts = Array.from(text.matchAll(/@[a-z]+\s*[{(]/gi), ({ index }) => index);
  if (signs.length > AT_SIGNS_MAX)
    return at(signs[AT_SIGNS_MAX] ?? 0, `항목은 ${AT_SIGNS_MAX}개까지 쓸 수 있습니다`);
  if (signs.length - starts.length > STRAY_AT_SIGNS_MAX)
    return at(signs[0] ?? 0, `항목을 시작하지 않는 @가 ${STRAY_AT_SIGNS_MAX}개보다 많습니다`);
  const long = starts.findIndex(
    (start, index) => (starts[index + 1] ?? text.length) - start > ENTRY_LENGTH_MAX,
  );
  if (long !== -1) return at(starts[long] ?? 0, `항목 하나는 ${ENTRY_LENGTH_MAX}자까지 쓸 수 있습니다`);
  let depth = 0;
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    depth = Math.max(0, depth + (brace === '{' ? 1 : -1));
    if (depth > NESTED_MAX) return at(index, `{가 ${NESTED_MAX}겹보다 깊습니다`);
  }
  let longest = 0;
  for (const { 0: written, 1: value = '', index } of text.matchAll(/@string\s*[{(]([^@]*)/gi)) {
    if (/#/.test(value)) return at(index, '@string에는 #으로 잇지 않은 글 하나만 씁니다');
    longest = Math.max(longest, written.length);
  }
  const uses = text.match(/[=#]/g)?.length ?? 0;
  if (uses * longest > EXPANDED_MAX) return at(0, '@string을 풀어 쓴 글이 너무 깁니다');
  return undefined;
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

function fieldAt(input: string, field: string): number {
  const starts = [...input.matchAll(/[\s,]([^\s=,{}"]+)\s*=/g)];
  const start = starts.find(([, name = '']) => name.toLowerCase() === field);
  return start ? start.index + 1 : 0;
}

/** Finds the line in the parser's message, or, for an unknown abbreviation, in the source. */
function asProblem(source: string, { error, input = '' }: { error: string; input?: string }): BibtexProblem {
  const [message = ''] = error.split('\n');
  const abbreviation = /^Unresolved @string reference "(.*)"$/.exec(message)?.[1];
  if (abbreviation === '')
    return { line: lineAt(source, source.search(/=\s*[,}]/)), text: '= 뒤에 값이 없습니다' };
  if (abbreviation !== undefined) {
    const uses = [...source.matchAll(/[=#]\s*([^\s,#{}"]+)/g)];
    const at = uses.find(([, name]) => name === abbreviation)?.index ?? 0;
    const text = `{${abbreviation}}처럼 괄호로 묶지 않은 글이고, 이런 @string도 없습니다`;
    return { line: lineAt(source, at), text };
  }
  const begins = lineAt(source, Math.max(source.indexOf(input), 0));
  const key = (/^@\w+\s*[{(]\s*([^\s,]+)/.exec(input) ?? /^@([^:]+): /.exec(message))?.[1];
  const [, text, line] = /^(.*?) at line (\d+), column \d+(?: in ".*")?$/.exec(message) ?? [];
  const said = inKorean(withoutPlaceholders(text ?? message.replace(/^@[^:]+: /, '')));
  const at = text?.endsWith('found ""...') ? begins : Number(line ?? begins);
  const where = at === begins ? '' : ` (${begins}행에서 시작한 항목)`;
  return { line: at, ...(key !== undefined && { key }), text: said + where };
}

/** The parser's messages and their Korean texts. */
const SAID: [RegExp, string][] = [
  [/^Token mismatch, expected \W*?([{}()]).*, found “”/, '$1가 하나 모자랍니다'],
  [/^Token mismatch, expected "}", found (.+)$/, '$1 앞에 쉼표나 }가 없습니다'],
  [/^Token mismatch, expected \W*?([{}()]).*, found (.+)$/, '$2 앞에 $1가 없습니다'],
  [/^Unclosed math section/, '$로 시작한 수식이 끝나지 않습니다'],
  [/^Unterminated brace-value (.+)$/, '{가 닫히지 않았습니다: $1'],
  [/^Unterminated quote-value (.+)$/, '큰따옴표가 닫히지 않았습니다: $1'],
  [/^Runaway key/, '항목의 열쇠 뒤에 쉼표가 없습니다'],
  [/^(.*) = value expected, equals sign missing: .+$/, '$1 뒤에 =이 없습니다'],
  [/^.*unexpected \d+-part name (.+), dropping .*$/, '이름에 쉼표가 너무 많습니다: $1'],
  [/^/, '읽을 수 없는 항목입니다. 괄호와 LaTeX 명령을 확인하세요'],
];

function inKorean(said: string): string {
  // The parser quotes what it found in JSON: one line of it is enough.
  const short = said.replace(/"([^"\\]*)(?:[^"\\]|\\.)*"(?:\.\.\.)?$/, '“$1”');
  const [pattern, korean] = SAID.find(([each]) => each.test(short)) ?? [/^/, ''];
  return pattern.source === '^' ? korean : short.replace(pattern, korean);
}

function asText(value: string | string[] | Creator[] | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value.trim();
  return value.map((part) => (typeof part === 'string' ? part : fullName(part))).join(', ');
}

/** `윤서준` as one word, `Piet van der Berg` in spoken order. */
function fullName({ name, firstName, prefix, lastName, suffix }: Creator): string {
  if (name !== undefined) return name;
  const isKorean = /^\p{Script=Hangul}+$/u.test(`${lastName}${firstName ?? ''}`.replaceAll(' ', ''));
  if (isKorean) return `${lastName}${firstName ?? ''}`.replaceAll(' ', '');
  const said = [firstName, prefix, lastName].filter((part) => part !== undefined).join(' ');
  if (said === 'others') return 'et al.';
  return suffix === undefined ? said : `${said}, ${suffix}`;
}

function plainEntry({ type, key }: Entry, fields: Entry['fields']): string {
  const lines = Object.entries(fields)
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => `  ${name} = ${plainValue(name, asText(value))},\n`);
  return `@${type}{${key},\n${lines.join('')}}\n`;
}

function plainValue(name: string, value: string): string {
  const month = name === 'month' ? MONTHS[Number(value) - 1] : undefined;
  return month ?? `{${value}}`;
}
