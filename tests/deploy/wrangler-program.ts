/** The pretended wrangler as a program on the PATH: the account is in the folder FAKE_ACCOUNT. */
import { text } from 'node:stream/consumers';
import { pretendedWrangler } from './pretended-wrangler.ts';

const { env, ppid, argv } = process;
const wrangler = pretendedWrangler(env['FAKE_ACCOUNT'] ?? '', () => {
  process.kill(ppid, 'SIGKILL');
  process.exit();
});
try {
  console.log(await wrangler(argv.slice(2), { input: await text(process.stdin), env }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
