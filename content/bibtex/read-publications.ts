import type { Bilingual } from '#contract/content';
import {
  plainText,
  type Author,
  type Publication,
  type PublicationKind,
  type Publications,
} from '#contract/publications';
import { SELECTED_MAX, type ContentProblem } from '../publication-rules.ts';
import { markedText } from './marked-text.ts';
import { articlesOfPreprints, nameKey } from './merge-preprints.ts';
import { readBibtex, type BibEntry, type BibtexProblem } from './read-bibtex.ts';

const EARLIEST_YEAR = 1900;
const LATEST_YEAR = 2100;
const DOI = /^10\.\d{4,9}\/\S+$/;
const DOI_ADDRESS = /^https?:\/\/(?:dx\.)?doi\.org\//;

/** The DOI in a text that is one, bare or as a URL. */
export function doiOf(text: string): string | undefined {
  const doi = text.replace(DOI_ADDRESS, '');
  return DOI.test(doi) ? doi : undefined;
}

const kinds: Partial<Record<string, PublicationKind>> = {
  article: 'article',
  inproceedings: 'inproceedings',
  conference: 'inproceedings',
  incollection: 'incollection',
  inbook: 'incollection',
  book: 'book',
  phdthesis: 'phdthesis',
  mastersthesis: 'mastersthesis',
  techreport: 'techreport',
  report: 'techreport',
  patent: 'patent',
};
/** Other types of BibTeX and BibLaTeX; what is none of them is probably a slip of the pen. */
const OTHER_TYPES = new Set(
  'artwork audio bookinbook booklet collection dataset electronic image inreference manual misc mvbook mvproceedings online periodical proceedings reference software standard suppbook thesis unpublished video www'.split(
    ' ',
  ),
);

/** Names of the laboratory's people, to recognize authors, and its research topics. */
type Known = { people: readonly Bilingual[]; topics: readonly Bilingual[] };

const NOBODY: Known = { people: [], topics: [] };

/**
 * The publications of a BibTeX text; none if it has problems, each with its line from 1: `publications.12`.
 * `doubts` keep no paper from being shown.
 * @param known the lab's people whom a visitor may see, and its research topics
 */
export function readPublications(
  text: string,
  { people, topics }: Known = NOBODY,
): { papers: Publications; problems: ContentProblem[]; doubts: ContentProblem[] } {
  const { entries, problems } = readBibtex(text);
  problems.push(...entries.flatMap((entry, index) => faultsOf(entry, entries.slice(0, index))));
  problems.push(...entries.flatMap((entry) => faultsOfPreprint(entry, entries)));
  const unknown = entries.filter(({ type }) => kinds[type] === undefined && !OTHER_TYPES.has(type));
  const doubts = unknown.map(({ line, key, type }) => ({
    line,
    key,
    text: `모르는 종류입니다: @${type}. 기타로 보입니다`,
  }));
  const papers = problems.length > 0 ? NO_PAPERS : asPublications(entries, people, topics);
  return { papers, problems: inLines(problems), doubts: inLines(doubts) };
}

/** In the order of the text, and what is said twice of a line once. */
function inLines(problems: readonly BibtexProblem[]): ContentProblem[] {
  const told = problems
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, key, text }) => ({
      path: `publications.${line}`,
      message: key === undefined ? text : `${key}: ${text}`,
    }));
  return [...new Map(told.map((each) => [`${each.path} ${each.message}`, each])).values()];
}

const NO_PAPERS: Publications = { all: [], selected: [], bibtex: '' };

function asPublications(entries: BibEntry[], people: Known['people'], topics: Known['topics']): Publications {
  const ours = new Map(people.flatMap((name) => [name.ko, name.en].map((each) => [nameKey(each), name])));
  const topicOf = new Map(
    topics.flatMap((topic) => [topic.ko, topic.en].map((each) => [each.toLowerCase(), topic])),
  );
  const articleOf = articlesOfPreprints(entries.map(asWork));
  const shown = entries
    .filter(({ key }) => !articleOf.has(key))
    .sort((one, other) => timeOf(other) - timeOf(one));
  const all = shown.map((entry) => {
    const merged = entries.filter(({ key }) => articleOf.get(key) === entry.key);
    return asPublication(entry, merged, ours, topicOf);
  });
  const isSelected = new Set(
    shown.filter((entry) => fieldOf(entry, 'selected') === 'true').map(({ key }) => key),
  );
  return {
    all,
    selected: all.filter(({ key }) => isSelected.has(key)).slice(0, SELECTED_MAX),
    bibtex: shown.map(({ plain }) => plain).join('\n'),
  };
}

const fieldOf = ({ fields }: BibEntry, name: string) => fields.get(name) || undefined;

function faultsOf(entry: BibEntry, before: BibEntry[]): BibtexProblem[] {
  const { key, line, fields, names, lineOf } = entry;
  const problems: BibtexProblem[] = [];
  const say = (text: string, at = line) => problems.push({ line: at, ...(key !== '' && { key }), text });
  if (key === '') say('항목에 열쇠가 없습니다. @article{열쇠, 처럼 쓰세요');
  const same = before.find((other) => other.key.toLowerCase() === key.toLowerCase());
  if (key !== '' && same) say(`${same.line}행의 항목과 열쇠가 같습니다`);
  for (const name of fields.keys()) {
    const twice = /^(.+)\+duplicate-/.exec(name)?.[1];
    if (twice !== undefined) say(`${twice}가 두 번 있습니다`, lineOf(twice));
  }
  if (fieldOf(entry, 'title') === undefined) say('title(제목)이 없습니다');
  if (names.length === 0) say('author(저자)가 없습니다');
  const year = writtenYear(entry);
  if (year === undefined) say('year(연도)가 없습니다');
  else if (!isYear(year)) say(`연도가 아닙니다: ${year}`, lineOf(fields.has('year') ? 'year' : 'date'));
  const doi = fieldOf(entry, 'doi');
  if (doi !== undefined && doiOf(doi) === undefined) {
    say(`DOI가 아닙니다: ${doi}. 10.으로 시작하고 /가 있어야 합니다`, lineOf('doi'));
  }
  for (const name of ['pdf', 'code', 'url']) {
    const address = fieldOf(entry, name);
    if (address !== undefined && !isAddress(address)) {
      say(`${name}: 주소가 아닙니다: ${address}. https://… 또는 /…로 쓰세요`, lineOf(name));
    }
  }
  const selected = fieldOf(entry, 'selected');
  if (selected !== undefined && !/^(true|false)$/.test(selected)) {
    say(`selected에는 true나 false를 씁니다: ${selected}`, lineOf('selected'));
  }
  return problems;
}

function faultsOfPreprint(entry: BibEntry, entries: BibEntry[]): BibtexProblem[] {
  const wanted = fieldOf(entry, 'preprint-of');
  if (wanted === undefined) return [];
  const article = entries.find(({ key }) => key === wanted);
  if (article && !isPreprint(article)) return [];
  const text = article
    ? `preprint-of: ${wanted}도 프리프린트입니다`
    : `preprint-of: ${wanted} 항목이 없습니다`;
  return [{ line: entry.lineOf('preprint-of'), key: entry.key, text }];
}

const writtenYear = (entry: BibEntry) => fieldOf(entry, 'year') ?? fieldOf(entry, 'date')?.slice(0, 4);

function isYear(text: string): boolean {
  return /^\d{4}$/.test(text) && Number(text) >= EARLIEST_YEAR && Number(text) <= LATEST_YEAR;
}

function isAddress(text: string): boolean {
  if (/^\/(?![/\\])\S*$/.test(text)) return true;
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
}

/** Months since the year 0; an entry without a month counts as the oldest of its year. */
function timeOf(entry: BibEntry): number {
  const month = fieldOf(entry, 'month') ?? /^\d{4}-(\d{2})/.exec(fieldOf(entry, 'date') ?? '')?.[1];
  const number = Number(month);
  return Number(writtenYear(entry)) * 13 + (number >= 1 && number <= 12 ? number : 0);
}

/** An entry that appeared only in an archive is a preprint; an article may name the archive too. */
function isPreprint(entry: BibEntry): boolean {
  if (fieldOf(entry, 'preprint-of') !== undefined) return true;
  const place = ['journal', 'journaltitle', 'howpublished', 'publisher', 'note'].map(
    (name) => fieldOf(entry, name) ?? '',
  );
  if (place.some((text) => /preprint|arxiv|프리프린트/i.test(text))) return true;
  return ['misc', 'unpublished', 'online'].includes(entry.type) && fieldOf(entry, 'eprint') !== undefined;
}

function asWork(entry: BibEntry) {
  return {
    key: entry.key,
    title: plainText(markedText(fieldOf(entry, 'title') ?? '')),
    names: entry.names,
    time: timeOf(entry),
    isPreprint: isPreprint(entry),
    preprintOf: fieldOf(entry, 'preprint-of'),
  };
}

function asPublication(
  entry: BibEntry,
  preprints: BibEntry[],
  ours: ReadonlyMap<string, Bilingual>,
  topicOf: ReadonlyMap<string, Bilingual>,
): Publication {
  const doi = fieldOf(entry, 'doi')?.replace(DOI_ADDRESS, '');
  const [url, pdf, code] = ['url', 'pdf', 'code'].map((name) => fieldOf(entry, name));
  const abstract = fieldOf(entry, 'abstract');
  const award = fieldOf(entry, 'award');
  const words = (fieldOf(entry, 'keywords') ?? '').split(/[,;]/).map((word) => word.trim().toLowerCase());
  const topics = [...new Set(words.flatMap((word) => topicOf.get(word) ?? []))];
  const own = isPreprint(entry) ? undefined : archived(entry);
  const links = [own, ...preprints.map(addressOf)].filter((link) => link !== undefined);
  return {
    key: entry.key,
    kind: isPreprint(entry) ? 'preprint' : (kinds[entry.type] ?? 'other'),
    year: Number(writtenYear(entry)),
    title: markedText((fieldOf(entry, 'title') ?? '').replace(/\.$/, '')),
    authors: entry.names.map((marked): Author => {
      const name = plainText(markedText(marked));
      const person = ours.get(nameKey(name));
      return person ? { name, person } : { name };
    }),
    venue: plainText(markedText(venueOf(entry))),
    ...(doi !== undefined && { doi }),
    ...(doi === undefined && url !== undefined && { url }),
    ...(pdf !== undefined && { pdf }),
    ...(code !== undefined && { code }),
    ...(links.length > 0 && { preprints: links }),
    ...(abstract !== undefined && { abstract: markedText(abstract) }),
    ...(award !== undefined && { award: plainText(markedText(award)) }),
    ...(topics.length > 0 && { topics }),
  };
}

function venueOf(entry: BibEntry): string {
  const of = (name: string) => fieldOf(entry, name);
  const [volume, number] = [of('volume'), of('number')];
  const parts = [
    of('journal') ??
      of('journaltitle') ??
      of('booktitle') ??
      of('school') ??
      of('institution') ??
      of('howpublished'),
    of('publisher'),
    volume !== undefined && number !== undefined ? `${volume}(${number})` : (volume ?? number),
    of('pages')?.replace(/(\d)-(?=\d)/, '$1–'),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function archived(entry: BibEntry): string | undefined {
  const number = fieldOf(entry, 'eprint');
  const archive = fieldOf(entry, 'archiveprefix') ?? fieldOf(entry, 'eprinttype') ?? '';
  return number !== undefined && /^arxiv$/i.test(archive) ? `https://arxiv.org/abs/${number}` : undefined;
}

function addressOf(entry: BibEntry): string | undefined {
  const doi = fieldOf(entry, 'doi')?.replace(DOI_ADDRESS, '');
  const ofDoi = doi === undefined ? undefined : `https://doi.org/${doi}`;
  return fieldOf(entry, 'url') ?? archived(entry) ?? ofDoi ?? fieldOf(entry, 'pdf');
}
