import type { Bilingual, Content, Person } from '#contract/content';
import { keysIn, uploadedPicture } from '#contract/public-content';
import { PEOPLE_GROUPS } from '#contract/people-groups';

/** A problem that prevents publication: where, as in `news.0.text.en`, and why, in Korean. */
export type ContentProblem = { path: string; message: string };

type Path = (string | number)[];

/**
 * All problems that the schema does not check, in the order of the content.
 * @param files names of the existing photographs; undefined if unknown
 */
export function contentProblems(content: Content, files?: readonly string[]): ContentProblem[] {
  const problems: ContentProblem[] = [];
  const say = (path: Path, message: string) => problems.push({ path: path.join('.'), message });
  const needed = (path: Path, text: Bilingual) => {
    if (text.ko === '') say([...path, 'ko'], '한국어 글이 없습니다');
    if (text.en === '') say([...path, 'en'], '영어 글이 없습니다');
  };
  /** A text must be empty in both languages or in neither. */
  const both = (path: Path, text: Bilingual) => {
    if (text.ko !== '' || text.en !== '') needed(path, text);
  };
  const neededOf = <Key extends string>(path: Path, texts: Record<Key, Bilingual>, names: readonly Key[]) =>
    names.forEach((name) => needed([...path, name], texts[name]));
  const eachOf = (path: Path, texts: readonly Bilingual[]) =>
    texts.forEach((text, at) => needed([...path, at], text));
  const link = (path: Path, text: string, key = 'link') => {
    if (text !== '' && !/^\/(?![/\\])/.test(text) && !isWebAddress(text))
      say([...path, key], 'https://로 시작하는 주소나 /로 시작하는 이 사이트의 주소를 쓰세요');
    paper([...path, key], /^\/publications#paper-(.+)$/.exec(text)?.[1]);
  };
  /** A link to a paper on this site must name an existing paper. */
  const paper = (path: Path, key: string | undefined) => {
    if (key !== undefined && !hasPaper(content.publications, key)) say(path, `논문 목록에 ${key}가 없습니다`);
  };
  const picture = (path: Path, { file, alt }: { file: string; alt: Bilingual }) => {
    if (files && !files.includes(file) && !uploadedPicture(file))
      say([...path, 'file'], `사진 ${file} 파일이 없습니다`);
    needed([...path, 'alt'], alt);
  };
  const day = (path: Path, text: string) => {
    if (!isDay(text)) say(path, '2026-03-02처럼 날짜를 쓰세요');
  };

  /** Addresses from earlier releases have AT instead of @. */
  const email = (path: Path, text: string) => {
    if (!/^[^\s@]+(?:@| AT )[^\s@]+\.[^\s@]+$/.test(text))
      say([...path, 'email'], '이메일 주소를 이름@학교 꼴로 쓰세요');
  };

  const { lab, about, people, projects, news, join, privacy } = content;
  neededOf(['lab'], lab, ['name', 'affiliation', 'lead']);
  email(['lab'], lab.email);
  eachOf(['lab', 'address'], lab.address);
  needed(['lab', 'place', 'name'], lab.place.name);

  eachOf(['about', 'paragraphs'], about.paragraphs);
  about.topics.forEach((topic, at) => neededOf(['about', 'topics', at], topic, ['name', 'text']));
  neededOf(['about', 'figure'], about.figure, ['alt', 'caption']);
  if (about.result) {
    const { since } = about.result;
    neededOf(['about', 'result'], about.result, ['text', 'source']);
    if (since === '') needed(['about', 'result', 'figure'], about.result.figure);
    else day(['about', 'result', 'since'], since);
    link(['about', 'result'], about.result.link);
  }
  if (about.hardware) {
    neededOf(['about', 'hardware'], about.hardware, ['alt', 'caption']);
    eachOf(['about', 'hardware', 'parts'], about.hardware.parts);
  }

  for (const group of PEOPLE_GROUPS)
    people[group].forEach((person: Person, at) => {
      const path = ['people', group, at];
      neededOf(path, person, ['name', 'position', 'department']);
      both([...path, 'office'], person.office);
      both([...path, 'after'], person.after);
      if (person.email !== '') email(path, person.email);
      for (const [kind, address] of Object.entries(person.links)) {
        const problem = address === '' ? undefined : personLinkProblem(kind, address);
        if (problem !== undefined) say([...path, 'links', kind], problem);
      }
      eachOf([...path, 'interests'], person.interests);
      if (person.photograph) picture([...path, 'photograph'], person.photograph);
    });

  const topics = new Set(about.topics.map(({ name }) => name.en));
  projects.forEach((project, at) => {
    const path = ['projects', at];
    if (!topics.has(project.topic)) say([...path, 'topic'], '연구 주제 가운데 하나를 선택하세요');
    neededOf(path, project, ['name', 'funder', 'text']);
    if (project.years === '') say([...path, 'years'], '기간을 쓰세요: 2026–2028');
    link(path, project.link);
    link(path, project.code, 'code');
    link(path, project.data, 'data');
    eachOf([...path, 'people'], project.people);
    for (const key of keysIn(project.papers)) paper([...path, 'papers'], key);
    if (project.photograph) picture([...path, 'photograph'], project.photograph);
  });
  news.forEach((item, at) => {
    day(['news', at, 'date'], item.date);
    needed(['news', at, 'text'], item.text);
    link(['news', at], item.link);
  });
  if (join) {
    neededOf(['join'], join, ['mark', 'heading', 'text']);
    if (join.positions.length === 0) say(['join', 'positions'], '누구를 찾는지 쓰거나 모집을 빼세요');
    join.positions.forEach((position, at) =>
      neededOf(['join', 'positions', at], position, ['who', 'brings', 'gets']),
    );
    if (join.steps.length === 0) say(['join', 'steps'], '지원하는 방법을 쓰거나 모집을 빼세요');
    eachOf(['join', 'steps'], join.steps);
    join.abroad.forEach((each, at) => neededOf(['join', 'abroad', at], each, ['question', 'answer']));
    if (join.until !== '') day(['join', 'until'], join.until);
  }
  for (const name of ['photographs', 'group'] as const)
    content[name].forEach((each, at) => {
      picture([name, at], each);
      needed([name, at, 'caption'], each.caption);
    });
  content.ways.forEach((way, at) => neededOf(['ways', at], way, ['by', 'text']));
  content.lists.forEach(({ heading, items }, at) => {
    needed(['lists', at, 'heading'], heading);
    items.forEach((item, place) => {
      const path = ['lists', at, 'items', place];
      needed([...path, 'what'], item.what);
      both([...path, 'who'], item.who);
      link(path, item.link);
    });
  });
  neededOf(['privacy'], privacy, ['officer', 'position']);
  email(['privacy'], privacy.email);
  day(['privacy', 'since'], privacy.since);
  privacy.earlier.forEach((notice, at) => {
    const path = ['privacy', 'earlier', at];
    day([...path, 'since'], notice.since);
    needed([...path, 'text'], notice.text);
    link(path, notice.link);
  });
  return problems;
}

/** Texts of the privacy notice that are still the example's, by path. */
export const exampleTexts = ({ privacy }: Pick<Content, 'privacy'>): string[] =>
  Object.entries(privacy)
    .filter(([, value]) => /\((예시|example)\)|\.example"/i.test(JSON.stringify(value)))
    .map(([key]) => `privacy.${key}`);

/** Whether BibTeX has an entry with this key; without the parser, which is too large for the form. */
const hasPaper = (bibtex: string, key: string) =>
  [...bibtex.matchAll(/@\w+\s*\{\s*([^\s,{}]+)\s*,/g)].some(([, each]) => each === key);

const HOSTS: Record<string, RegExp> = {
  homepage: /./,
  scholar: /^scholar\.google\.[a-z.]+$/,
  orcid: /^orcid\.org$/,
  github: /^github\.com$/,
};

function personLinkProblem(kind: string, address: string): string | undefined {
  const host = webAddress(address)?.host;
  if (host === undefined || !HOSTS[kind]?.test(host))
    return `${kind === 'homepage' ? 'https://로 시작하는' : `${kind}의`} 주소가 아닙니다`;
  if (kind === 'orcid' && !isOrcid(new URL(address).pathname.slice(1))) return 'ORCID에 틀린 숫자가 있습니다';
  return undefined;
}

/** Without `URL.canParse`, which the oldest supported browsers lack. */
function webAddress(text: string): URL | undefined {
  try {
    const address = new URL(text);
    return address.protocol === 'https:' ? address : undefined;
  } catch {
    return undefined;
  }
}

const isWebAddress = (text: string) => webAddress(text) !== undefined;

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
