import { median, type Row } from '../table.ts';
import type { Kind, Load, Transfer } from './load.ts';
import type { ScriptReport } from './scripts.ts';

const LCP_RATIO_MAX = 1.1;
const TBT_DIFFERENCE_MAX_MS = 100;
const SCRIPT_MAX = 100_000;
const TRANSFER_MAX = 200_000;
const ABOUT_IMAGE_MAX = 40_000;

export const verdict = (target: string, isMet: boolean, otherwise = 'over') =>
  `${target}: ${isMet ? 'ok' : otherwise}`;

/** 1 KB is 1,000 bytes. */
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

/** Median with the least and the most that was measured. */
function spread(values: number[]): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(Math.round);
  return `${middle} ms (${least}–${most})`;
}

/** Times of the main page beside those of the limit page. */
export function timeRows(site: Load[], limit: Load[]): Row[] {
  const lcp = (loads: Load[]) => loads.map((load) => load.largestPaint);
  const fcp = (loads: Load[]) => loads.map((load) => load.firstPaint);
  const tbt = (loads: Load[]) => loads.map((load) => load.blockingTime);
  const before = (loads: Load[]) => loads.map((load) => load.blockedBeforePaint);
  const cls = (loads: Load[]) => median(loads.map((load) => load.layoutShift));
  const beside = (values: number[]) => `limit page ${spread(values)}`;
  const ratio = median(lcp(site)) / median(lcp(limit));
  const more = median(tbt(site)) - median(tbt(limit));
  const blocking = [...new Set(site.flatMap((load) => load.renderBlocking))].map(
    (url) => new URL(url).pathname,
  );
  return [
    { figure: 'Largest Contentful Paint', value: spread(lcp(site)), target: beside(lcp(limit)) },
    {
      figure: 'LCP ÷ limit page',
      value: ratio.toFixed(2),
      target: verdict(`≤ ${LCP_RATIO_MAX}`, ratio <= LCP_RATIO_MAX),
    },
    {
      figure: 'element of the LCP',
      value: site.at(-1)?.largestElement ?? '',
      target: limit.at(-1)?.largestElement ?? '',
    },
    { figure: 'First Contentful Paint', value: spread(fcp(site)), target: beside(fcp(limit)) },
    { figure: 'Total Blocking Time', value: spread(tbt(site)), target: beside(tbt(limit)) },
    {
      figure: 'TBT − limit page',
      value: `${Math.round(more)} ms`,
      target: verdict(`≤ ${TBT_DIFFERENCE_MAX_MS} ms`, more <= TBT_DIFFERENCE_MAX_MS),
    },
    { figure: 'blocked before FCP', value: spread(before(site)), target: beside(before(limit)) },
    {
      figure: 'Cumulative Layout Shift',
      value: cls(site).toFixed(4),
      target: `${verdict('0', cls(site) === 0)}; limit page ${cls(limit).toFixed(4)}`,
    },
    {
      figure: 'blocks the first paint',
      value: blocking.join(' ') || 'nothing',
      target: verdict('no script', !blocking.some((path) => path.endsWith('.js'))),
    },
  ];
}

/** What came over the wire before any interaction, by kind, in the last run. */
export function transferRows(site: Load, limit: Load): Row[] {
  const isAboutImage = ({ url }: Transfer) => url === site.aboutImage;
  const kinds = [...new Set<Kind>([...site.transfers, ...limit.transfers].map(({ kind }) => kind))];
  const figures = (transfers: Transfer[]) => `${kilobytes(total(transfers))} in ${transfers.length}`;
  const counted = site.transfers.filter((each) => !isAboutImage(each));
  const aboutImage = site.transfers.filter(isAboutImage);
  const missing = site.transfers
    .filter(({ status }) => status >= 400)
    .map(({ url, status }) => `${status} ${url}`);
  const problems = [...missing, ...site.problems];
  return [
    ...kinds.map((kind) => ({
      figure: kind,
      value: figures(site.transfers.filter((each) => each.kind === kind)),
      target: `limit page ${figures(limit.transfers.filter((each) => each.kind === kind))}`,
    })),
    {
      figure: 'about image',
      value: figures(aboutImage),
      target: verdict(`≤ ${kilobytes(ABOUT_IMAGE_MAX)}`, total(aboutImage) <= ABOUT_IMAGE_MAX),
    },
    {
      figure: 'in all, without the about image',
      value: figures(counted),
      target: `${verdict(`≤ ${kilobytes(TRANSFER_MAX)}`, total(counted) <= TRANSFER_MAX)}; limit page ${figures(limit.transfers)}`,
    },
    {
      figure: 'problems in the console',
      value: String(problems.length),
      target: verdict(['0', ...problems].join(' '), problems.length === 0),
    },
  ];
}

const total = (transfers: Transfer[]) => transfers.reduce((sum, { bytes }) => sum + bytes, 0);

export function scriptRows({ scripts, unseen }: ScriptReport): Row[] {
  const all = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
  const flagged = [...new Set(scripts.flatMap(({ holds }) => holds))];
  return [
    ...scripts.map(({ name, bytes, holds }) => ({
      figure: name,
      value: kilobytes(bytes),
      target: holds.length > 0 ? `holds ${holds.join(', ')}: over` : 'ok',
    })),
    {
      figure: 'all scripts',
      value: kilobytes(all),
      target: verdict(`≤ ${kilobytes(SCRIPT_MAX)}`, all <= SCRIPT_MAX),
    },
    {
      figure: 'of recharts, zod, markdown renderer, management',
      value: flagged.join(', ') || 'nothing',
      target: verdict('nothing', flagged.length === 0),
    },
    ...unseen.map((what) => ({
      figure: `looked for ${what}`,
      value: 'in no script of the build',
      target: 'so its absence here says nothing',
    })),
  ];
}
