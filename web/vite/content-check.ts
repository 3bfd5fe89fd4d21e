import type { AboutContent } from '#content/about.ko';
import type { Bilingual } from '#content/bilingual';
import type { JoinUs } from '#content/join';
import type { LabContent } from '#content/lab.ko';
import type { News } from '#content/news';
import type { Photograph } from '#content/photographs';
import type { Project } from '#content/projects';
import type { Locale } from '#contract/locale';
import { PEOPLE_GROUPS, type LabPeople, type PersonLinks } from '#contract/people';

/** Everything in content/ that a type cannot judge. */
export type Content = {
  labs: Record<Locale, LabContent>;
  abouts: Record<Locale, AboutContent>;
  people: Record<Locale, LabPeople>;
  news: News[];
  projects: Project[];
  joinUs: JoinUs | undefined;
  photographs: Photograph[];
  /** Names of the files in content/photographs. */
  files: string[];
};

/** One line for each mistake, with its file and the entry that holds it. */
export function contentProblems(content: Content): string[] {
  const { labs, abouts, people, news, projects, joinUs, photographs, files } = content;
  const topics = new Set(abouts.en.topics.map(({ name }) => name));
  return [
    ...(['ko', 'en'] as const).map((locale) =>
      labs[locale].email.includes('@')
        ? `content/lab.${locale}.ts: email: write AT in place of @, or address harvesters read it`
        : '',
    ),
    ...PEOPLE_GROUPS.map((group) =>
      people.ko[group].length === people.en[group].length
        ? ''
        : `content/people.en.ts: ${group}: ${people.en[group].length} where content/people.ko.ts has ${people.ko[group].length}`,
    ),
    ...(['ko', 'en'] as const).flatMap((locale) =>
      Object.values(people[locale])
        .flat()
        .flatMap(({ name, photograph, links }) =>
          [
            photograph && pictureProblem(photograph.file, photograph.alt, files),
            ...Object.entries(links ?? {}).map(([kind, address]) => personLinkProblem(kind, address)),
          ].map((problem) => problem && `content/people.${locale}.ts: ${name}: ${problem}`),
        ),
    ),
    ...news.flatMap(({ date, text, link }) =>
      [
        isDay(date) ? '' : `"${date}" is no day such as 2026-03-02`,
        missingText({ text }),
        linkProblem(link),
      ].map((problem) => problem && `content/news.ts: ${date} ${text.ko}: ${problem}`),
    ),
    ...projects.flatMap(({ topic, name, years, funder, text, link }) =>
      [
        topics.has(topic) ? '' : `"${topic}" is no topic of content/about.en.ts`,
        years.trim() ? '' : 'its years are missing',
        missingText({ name, funder, text }),
        linkProblem(link),
      ].map((problem) => problem && `content/projects.ts: ${name.ko}: ${problem}`),
    ),
    ...(joinUs ? joinProblems(joinUs) : []).map((problem) => problem && `content/join.ts: ${problem}`),
    ...photographs.flatMap(({ file, alt, caption }) =>
      [pictureProblem(file, alt.ko && alt.en, files), missingText({ caption })].map(
        (problem) => problem && `content/photographs.ts: ${file}: ${problem}`,
      ),
    ),
    ...(['result', 'hardware'] as const).map((part) =>
      (abouts.ko[part] === undefined) === (abouts.en[part] === undefined)
        ? ''
        : `content/about.${abouts.ko[part] ? 'en' : 'ko'}.ts: ${part} is missing, the other language has it`,
    ),
    abouts.ko.hardware?.parts.length === abouts.en.hardware?.parts.length
      ? ''
      : 'content/about.en.ts: hardware: parts: not as many as in Korean',
  ].filter((problem): problem is string => Boolean(problem));
}

function joinProblems({ mark, heading, text, positions, steps, until }: JoinUs): string[] {
  return [
    until === undefined || isDay(until) ? '' : `until: "${until}" is no day such as 2026-03-02`,
    positions.length > 0 ? '' : 'positions: say who is sought, or export undefined',
    steps.length > 0 ? '' : 'steps: say how one applies',
    missingText({ mark, heading, text }),
    ...positions.map((position, at) => missingText(position, `positions ${at + 1}: `)),
    ...steps.map((step, at) => missingText({ [at + 1]: step }, 'steps: ')),
  ];
}

function missingText(texts: Record<string, Bilingual>, where = ''): string {
  for (const [name, { ko, en }] of Object.entries(texts)) {
    if (!ko.trim() || !en.trim())
      return `${where}${name}: the ${ko.trim() ? 'English' : 'Korean'} text is missing`;
  }
  return '';
}

function pictureProblem(file: string, alt: string, files: string[]): string {
  if (!files.includes(file)) return `"${file}" is not in content/photographs`;
  return alt.trim() ? '' : `"${file}" needs a text for those who cannot see it`;
}

const linkProblem = (link: string | undefined): string =>
  link === undefined || /^\/(?!\/)/.test(link) || isWebAddress(link)
    ? ''
    : `"${link}" is neither https://… nor a path of this site`;

const HOSTS: Record<keyof PersonLinks, RegExp> = {
  homepage: /./,
  scholar: /^scholar\.google\.[a-z.]+$/,
  orcid: /^orcid\.org$/,
  github: /^github\.com$/,
};

function personLinkProblem(kind: string, address: string): string {
  const host: RegExp | undefined = new Map(Object.entries(HOSTS)).get(kind);
  if (!isWebAddress(address) || !host?.test(new URL(address).host))
    return `links: ${kind}: "${address}" is no such address`;
  if (kind === 'orcid' && !isOrcid(new URL(address).pathname.slice(1)))
    return `links: orcid: "${address}" has a digit that is wrong`;
  return '';
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:';

/** ISO 7064, modulo 11-2: the last character checks the others. */
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
