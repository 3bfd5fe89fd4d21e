import { REPAIR_STEPS } from '#contract/first-steps';
import { printable } from '#contract/printable-text';
import { explainError, errorFirstStep } from '../firmware-bridge/src/system-error.ts';

/* Explains why the workers of the local run cannot start. */

/** An error that only the data folder or its disk can cause. */
export class DataFolderError extends Error {}

/** SQLite's primary result codes for errors of the file or its disk. */
const OF_SQLITE = new Set([3, 5, 8, 10, 11, 13, 14, 23, 26]);
/** D1 reports such an error with SQLite's name for it. */
const OF_D1 = /SQLITE_(PERM|BUSY|READONLY|IOERR|CORRUPT|FULL|CANTOPEN|AUTH|NOTADB)/;

function* causes(error: unknown): Generator<Error> {
  for (let each = error; each instanceof Error; each = each.cause) yield each;
}

/** Whether the data folder or its disk has caused the error. */
function isOfFolder(error: unknown, dataDir: string): boolean {
  return [...causes(error)].some((each) => {
    if (each instanceof DataFolderError) return true;
    if ('errcode' in each && typeof each.errcode === 'number') return OF_SQLITE.has(each.errcode & 0xff);
    if ('path' in each && typeof each.path === 'string') return each.path.startsWith(dataDir);
    return OF_D1.test(each.message);
  });
}

/** Whether the connection to Miniflare's runtime broke. This happens if the machine is busy. */
export const isConnectionLost = (error: unknown) =>
  [...causes(error)].some(({ message }) => message === 'fetch failed');

/** Runs one step of the start. @throws Error that also names the step */
export async function withStepName<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(what, { cause: error });
  }
}

/** Messages of SQLite, D1 and the system; each has a code from the table of first steps. */
const CODES: [RegExp, string][] = [
  [/SQLITE_FULL|disk is full|ENOSPC/, 'ENOSPC'],
  [/SQLITE_READONLY|readonly|EROFS/, 'EROFS'],
  [/SQLITE_(PERM|CANTOPEN|AUTH)|unable to open|EACCES/, 'EACCES'],
  [/SQLITE_IOERR|disk I\/O/, 'EIO'],
];

function stepOf(said: string, dataDir: string): string {
  if (said.includes('First step: ')) return '';
  if (/SQLITE_(CORRUPT|NOTADB)|malformed|not a database/.test(said))
    return `. First step: ${REPAIR_STEPS.store(dataDir)}`;
  const [, code] = CODES.find(([words]) => words.test(said)) ?? [];
  const step = code === undefined ? undefined : errorFirstStep(code, dataDir);
  return step === undefined ? '' : `. First step: ${step}`;
}

/** @returns one line for the operator, and whether the same start may succeed a moment later */
export function startFailure(error: unknown, dataDir: string): { line: string; isPassing: boolean } {
  const chain = [...causes(error)];
  const words = chain
    .map((each) => ('syscall' in each ? explainError(each) : (each.message.split('\n')[0] ?? '')))
    .filter((each) => each !== '');
  // An error that wraps another error may repeat its message.
  const reason = words.filter((each, at) => !words.slice(0, at).some((above) => above.includes(each)));
  const said = printable(chain.length === 0 ? String(error) : reason.join(': '));
  if (isConnectionLost(error)) return { line: said, isPassing: true };
  return {
    line: isOfFolder(error, dataDir)
      ? `the data folder ${printable(dataDir)} cannot be used: ${said}${stepOf(said, dataDir)}`
      : said,
    isPassing: false,
  };
}
