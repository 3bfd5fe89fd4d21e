import { doiOf, readPublications } from '#content/bibtex/read-publications';
import { ApiError } from '#http/api-error';

const TIMEOUT_MS = 8000;
const TEXT_MAX = 100_000;

/**
 * Sources of publications: https://www.crossref.org/documentation/retrieve-metadata/rest-api,
 * https://support.datacite.org/docs/datacite-content-resolver. Crossref asks for an email address.
 */
const sources = [
  (doi: string, mail: string) =>
    `https://api.crossref.org/works/${doi}/transform/application/x-bibtex?mailto=${mail}`,
  (doi: string) => `https://data.crosscite.org/application/x-bibtex/${doi}`,
];

/**
 * The BibTeX of a publication, from the first source that knows it.
 * @param text a DOI, bare or as a URL
 * @param mail the laboratory's email address
 * @throws ApiError 400 for a text that is no DOI, 404 if no source knows it, 503 if a source did not answer
 */
export async function fetchBibtexOfDoi(text: string, mail: string): Promise<string> {
  const doi = doiOf(text.trim().replace(/^doi:\s*/i, ''));
  if (doi === undefined)
    throw new ApiError(400, { field: 'doi', message: 'DOI는 10.으로 시작합니다: 10.1145/3639476.3639762' });
  let isKnownToNobody = true;
  for (const source of sources) {
    const answer = await ask(source(encodeURIComponent(doi), encodeURIComponent(mail)));
    const entry = answer?.status === 200 ? inLatex(answer.text.trim()) : '';
    if (isEntry(entry)) return entry;
    isKnownToNobody &&= answer?.status === 404 || answer?.status === 200;
  }
  throw isKnownToNobody
    ? new ApiError(404, {
        message: `${doi}의 저자, 제목, 연도를 아는 곳이 없습니다. 출판사의 BibTeX를 붙여넣으세요`,
      })
    : new ApiError(503, {
        message: 'DOI를 찾는 곳이 답하지 않습니다. 잠시 뒤 다시 찾거나 BibTeX를 붙여넣으세요',
      });
}

/** Whether the text is a valid BibTeX entry: with author, title and year. */
const isEntry = (text: string) => /^\s*@\w+\s*\{/.test(text) && readPublications(text).problems.length === 0;

const COMMANDS: Partial<Record<string, string>> = {
  i: 'textit',
  em: 'textit',
  b: 'textbf',
  sub: 'textsubscript',
  sup: 'textsuperscript',
};

/** Publishers register titles with the tags of web pages (`<i>`), which are no BibTeX. */
const inLatex = (text: string) =>
  text
    .replaceAll(/<(\w+)>([^<>]*)<\/\1>/g, (all, tag: string, inside: string) =>
      tag in COMMANDS ? `\\${COMMANDS[tag]}{${inside}}` : all,
    )
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(?:amp;)+/g, '\\&');

/** Never follows a redirect, so that only the hosts above get requests. */
async function ask(url: string): Promise<{ status: number; text: string } | undefined> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await answer.text();
    return text.length > TEXT_MAX ? undefined : { status: answer.status, text };
  } catch {
    // The network did not answer, or too late.
    return undefined;
  }
}
