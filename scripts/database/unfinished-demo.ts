import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../../firmware-bridge/src/system-error.ts';

/*
 * The demo data is loaded into two databases one after the other. From before the first change until it is whole a mark
 * stands in the data folder: the next start loads the rest.
 */

const markOf = (dataDir: string) => join(dataDir, 'demo-unfinished');

export function beginDemo(dataDir: string): void {
  const mark = markOf(dataDir);
  onPath(mark, () => writeFileSync(mark, '', { mode: 0o600, flush: true }));
}

export const isDemoUnfinished = (dataDir: string) => existsSync(markOf(dataDir));

export const endDemo = (dataDir: string) => rmSync(markOf(dataDir), { force: true });
