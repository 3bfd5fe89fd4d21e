import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/*
 * What the product keeps is written by firmware-bridge/src/files.ts alone. Who writes otherwise stands here, with the reason
 * why a file that is cut off, or half of two, does no harm there.
 */
const EXCEPTIONS: Record<string, string> = {
  'firmware-bridge/src/files.ts': 'the writer itself',
  'firmware-bridge/src/spool/disk.ts': 'the reserve holds nothing: only its size counts, and is looked at',
  'scripts/backup/archive.ts':
    'unpacks into the workplace, which is emptied afterwards; what it holds is proven',
  'scripts/backup/remote-store.ts': 'statements for wrangler, in the workplace, which is emptied afterwards',
  'scripts/deploy/remote-database.ts': 'statements for wrangler, in a folder that goes with them',
  'scripts/deploy/wrangler-configs.ts': 'a link to the functions, made anew by each deployment',
  'scripts/build/build-tools.ts': 'a stamp of the build: without it, or with another, it is built again',
  'scripts/build/build.ts': 'what is built; its stamp is written last',
  'scripts/build/package.ts': 'what is built, in a folder that goes with it',
  'scripts/build/worker-options.ts': 'what is built; its stamp is written last',
  'scripts/database/migration.ts': 'sources that git keeps, for whoever develops',
  'scripts/test/test-run.ts': 'a list of the run that goes with it',
  'web/vite/photographs.ts': 'a cache of the build, renamed when it is whole',
};
const WRITES =
  /\b(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|writeSync|writevSync|copyFile|copyFileSync|cp|cpSync|rename|renameSync|symlinkSync|linkSync|truncateSync|ftruncateSync)\(|\bopen(Sync)?\([^()]*, ?'(w|a|r\+)/;

test('OPS-15 what is kept is written by one writer, and every exception is one still', () => {
  const writing = globSync(
    '{contract,content,db,http,web,worker,ingest,firmware-bridge,local,scripts}/**/*.{ts,tsx,mjs}',
    {
      exclude: ['**/dist/**', '**/paraglide/**'],
    },
  )
    .filter((file) => WRITES.test(readFileSync(file, 'utf8')))
    .toSorted();
  expect(writing).toEqual(Object.keys(EXCEPTIONS).toSorted());
});
