import type { Content } from '#contract/content';
import { contentModel, type FieldModel, type FieldModels, type FieldRule } from '#contract/content-model';
import { isPlaceholder, paperKeysIn, projectPath, parsePhotographName } from '#contract/public-content';

/** Most selected papers that the public page shows. */
export const SELECTED_MAX = 5;

/** A problem that prevents publication: where, as in `news.0.text.en`, and why, in Korean. */
export type ContentProblem = { path: string; message: string };

/**
 * All problems that the schema does not check.
 * @param files names of the existing photographs; undefined if unknown
 */
export function contentProblems(content: Content, files?: readonly string[]): ContentProblem[] {
  const { result } = content.about;
  // The page shows `figure` only if the result has no date, so only then must both languages have it.
  const figure = result?.since === '' ? missingLanguages(result.figure, ['about', 'result', 'figure']) : [];
  return [
    ...problemsIn(contentModel, content, [], { content, files }),
    ...(figure.length === 2 ? figure : []),
  ];
}

type Path = readonly (string | number)[];
/** The papers, topics and photographs to which a text may refer. */
type Known = { content: Content; files: readonly string[] | undefined };

const entriesOf = (value: unknown) =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);

function problemsIn(fields: FieldModels, value: unknown, path: Path, known: Known): ContentProblem[] {
  const values = entriesOf(value);
  return Object.entries(fields).flatMap(([key, field]) =>
    problemsOf(field, values.get(key), [...path, key], known),
  );
}

function problemsOf(field: FieldModel, value: unknown, path: Path, known: Known): ContentProblem[] {
  const say = (message: string | undefined) =>
    message === undefined ? [] : [{ path: path.join('.'), message }];
  if (field.kind === 'group') return value === null ? [] : problemsIn(field.fields, value, path, known);
  if (field.kind === 'list' && Array.isArray(value))
    return value.length === 0
      ? say(field.missing)
      : value.flatMap((item: unknown, at) => problemsOf(field.item, item, [...path, at], known));
  if (field.kind === 'both') {
    const long = [...entriesOf(value)].filter(([, text]) => lengthOf(text) > field.max);
    if (long.length > 0)
      return long.map(([language]) => ({
        path: [...path, language].join('.'),
        message: `${field.max}자까지 쓸 수 있습니다`,
      }));
    const missing = missingLanguages(value, path);
    return field.isOptional && missing.length === 2 ? [] : missing;
  }
  if (field.kind !== 'text' || typeof value !== 'string') return [];
  const text = value.trim();
  if (text.length > field.max) return say(`${field.max}자까지 쓸 수 있습니다`);
  return !field.rule || (text === '' && !field.isNeeded) ? [] : say(RULES[field.rule](text, known));
}

const lengthOf = (text: unknown) => (typeof text === 'string' ? text.trim().length : 0);

const LANGUAGES = { ko: '한국어를 입력하세요', en: '영어를 입력하세요' };

function missingLanguages(text: unknown, path: Path): ContentProblem[] {
  const texts = entriesOf(text);
  return Object.entries(LANGUAGES).flatMap(([language, message]) =>
    lengthOf(texts.get(language)) === 0 ? [{ path: [...path, language].join('.'), message }] : [],
  );
}

/** The check of each rule: returns the problem with a text in Korean; undefined if there is none. */
const RULES: Record<FieldRule, (text: string, known: Known) => string | undefined> = {
  day: (text) => (isDay(text) ? undefined : '2026-03-02처럼 날짜를 쓰세요'),
  // Addresses from earlier releases have AT instead of @.
  email: (text) =>
    /^[^\s@]+(?:@| AT )[^\s@]+\.[^\s@]+$/.test(text) ? undefined : '이메일 주소를 이름@학교 꼴로 쓰세요',
  phone: (text) => (/(?:\d[^\d]*){4}/.test(text) ? undefined : '02-000-0000처럼 전화번호를 쓰세요'),
  years: (text) => (text === '' ? '기간을 쓰세요: 2026–2028' : undefined),
  topic: (text, { content }) =>
    content.about.topics.some(({ name }) => name.en === text)
      ? undefined
      : '연구 주제 가운데 하나를 선택하세요',
  file: (text, { files }) => {
    if (text === '') return '사진을 선택하세요';
    const isKnown = !files || files.includes(text) || parsePhotographName(text) !== undefined;
    return isKnown ? undefined : `사진 ${text} 파일이 없습니다`;
  },
  papers: (text, { content }) => {
    const unknown = paperKeysIn(text).filter((key) => !hasPaper(content.publications, key));
    return unknown.length > 0 ? `논문 목록에 ${unknown.join(', ')}가 없습니다` : undefined;
  },
  link: (text, known) => {
    if (!/^\/(?![/\\])/.test(text) && !webAddress(text))
      return 'https://로 시작하는 주소나 /로 시작하는 이 사이트의 주소를 쓰세요';
    const [, paper] = /^\/publications#paper-(.+)$/.exec(text) ?? [];
    if (paper !== undefined) return RULES.papers(paper, known);
    const [, project] = /^(?:\/en)?(\/projects\/[^?#]+)/.exec(text) ?? [];
    const isGone = project && !known.content.projects.some((each) => projectPath(each) === project);
    return isGone ? `${project} 과제가 없습니다. 과제의 영어 이름을 바꾸면 주소도 바뀝니다` : undefined;
  },
  homepage: (text) => (webAddress(text) ? undefined : 'https://로 시작하는 주소가 아닙니다'),
  scholar: (text) =>
    /^scholar\.google\.[a-z.]+$/.test(hostOf(text))
      ? undefined
      : 'https://scholar.google.com/citations?user=…처럼 쓰세요',
  orcid: (text) => {
    if (hostOf(text) !== 'orcid.org') return 'https://orcid.org/0000-0000-0000-0000처럼 쓰세요';
    return isOrcid(new URL(text).pathname.slice(1)) ? undefined : 'ORCID에 틀린 숫자가 있습니다';
  },
  github: (text) => (hostOf(text) === 'github.com' ? undefined : 'https://github.com/이름처럼 쓰세요'),
};

/** Texts of the privacy notice and pictures of people that are still the example's, by path. */
export const exampleTextParts = ({ privacy, group }: Pick<Content, 'privacy' | 'group'>): string[] => [
  ...Object.entries(privacy)
    .filter(([, value]) => /\((예시|example)\)|\.example"/i.test(JSON.stringify(value)))
    .map(([key]) => `privacy.${key}`),
  ...group.filter(({ file }) => isPlaceholder(file)).map(({ file }) => `group: ${file}`),
];

/** Whether BibTeX has an entry with this key. Does not use the parser, which is too large for the form. */
const hasPaper = (bibtex: string, key: string) =>
  [...bibtex.matchAll(/@\w+\s*\{\s*([^\s,{}]+)\s*,/g)].some(([, each]) => each === key);

/** Does not use `URL.canParse`, because the oldest supported browsers lack it. */
function webAddress(text: string): URL | undefined {
  try {
    const address = new URL(text);
    return address.protocol === 'https:' ? address : undefined;
  } catch {
    return undefined;
  }
}

const hostOf = (text: string) => webAddress(text)?.host ?? '';

/** Checks the last character as ISO 7064, modulo 11-2, requires. */
function isOrcid(id: string): boolean {
  if (!/^(\d{4}-){3}\d{3}[\dX]$/.test(id)) return false;
  const digits = id.replaceAll('-', '').split('');
  const sum = digits.slice(0, -1).reduce((total, digit) => (total + Number(digit)) * 2, 0);
  const check = (12 - (sum % 11)) % 11;
  return digits.at(-1) === (check === 10 ? 'X' : String(check));
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && text.length === 10;
}
