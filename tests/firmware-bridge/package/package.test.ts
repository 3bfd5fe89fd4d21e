import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { VERSION } from '#contract/release';
import { isBrokerHostName, replaceSettings } from '../../../firmware-bridge/src/commands/setup-command.ts';
import { NODE_VERSION, buildPackage } from '../../../scripts/build/package.ts';
import { type } from '../../support/shell.ts';
import { freshFolder } from '../support/processes.ts';
import { words } from '../../support/words.ts';

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const has = (file: string) => existsSync(file);
const DEBIAN = 'firmware-bridge/debian';

test('OPS-7 the Node of the package is the one that the project pins', () => {
  expect(readFileSync('.nvmrc', 'utf8').trim()).toBe(NODE_VERSION);
});

test.skipIf(!has('/bin/dash'))('OPS-7 the scripts of the package are plain sh', async () => {
  const scripts = [...globSync(`${DEBIAN}/{postinst,prerm,postrm,certificates,cps-*}`)].filter(
    (file) => !/\.(service|timer|path)$/.test(file),
  );
  expect(scripts).toHaveLength(7);
  expect(await type(scripts.map((script) => `dash -n ${script}`).join(' && '))).toBe('');
});

test.skipIf(!has('/usr/bin/groff'))('OPS-7 every command has a manual page without a warning', async () => {
  const pages = ['cps-setup', 'cps-board', 'cps-bridge'].map((command) => `${DEBIAN}/man/${command}.8`);
  expect(await type(`groff -man -ww -z -Tutf8 ${pages.join(' ')}`)).toBe('');
});

test('OPS-7 setting up again changes the settings that it knows and keeps the others in their order', () => {
  const before = '# of the lab\nHOME_ASSISTANT=off\nBRIDGE_ID=old\nBRIDGE_KEY=a\n';
  expect(replaceSettings(before, { BRIDGE_ID: 'new', SPOOL_FILE: '/x' })).toBe(
    '# of the lab\nHOME_ASSISTANT=off\nBRIDGE_KEY=a\nBRIDGE_ID=new\nSPOOL_FILE=/x\n',
  );
});

test('OPS-7 no name that a certificate cannot hold is taken, by the question or by the script', async () => {
  const script = readFileSync(`${DEBIAN}/certificates`, 'utf8');
  const [isName = ''] = /^is_name\(\) \{\n[^]*?^\}$/m.exec(script) ?? [];
  const names = ['localhost', 'pi.lab.example', 'pi-2', '3pi', '10.0.0.7', '255.255.255.255', 'a'.repeat(63)];
  const none = [
    '',
    '300.1.1.1',
    '256.0.0.1',
    '1.2.3',
    '12',
    '1.2.3.4.',
    'a..b',
    '-x',
    'x-',
    'pi.lab.',
    'fe80::1',
  ];
  const odd = [
    'pi lab',
    'pi_lab',
    'http://pi',
    'pi:8883',
    'a'.repeat(64),
    `${'a.'.repeat(127)}a`,
    '온실',
    '01.2.3.4',
  ];
  const all = [...names, ...none, ...odd];
  expect(all.filter(isBrokerHostName)).toEqual(names);
  const each = `for name in ${all.map((name) => `'${name}'`).join(' ')}; do`;
  const taken = await type(`${isName}\n${each} is_name "$name" && echo "$name"; done; true`);
  expect(taken.split('\n')).toEqual([...names, '']);
});

// Tests the package for armhf, which has no Node: it takes a second and needs no download.
describe.skipIf(!has('/usr/bin/dpkg-deb'))('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const build = () => buildPackage('armhf', { folder, compression: ['-Zgzip', '-z1'] });
  let first: string | undefined;
  const built = () => (first ??= build());

  test('OPS-7 holds program, commands, units, configuration and pages, as root’s, and is the same each time', () => {
    const file = built();
    const bytes = readFileSync(file);
    const listed = run('dpkg-deb', '--contents', file).split('\n');
    const paths = listed.flatMap((line) => /\d\d:\d\d \.\/(\S*[^/\s])(?: ->.*)?$/.exec(line)?.[1] ?? []);
    expect(paths.sort()).toEqual(
      words(`
      etc/mosquitto/cps.conf usr/bin/cps-bridge usr/lib/cps-bridge/bridge.mjs
      usr/lib/cps-bridge/certificates usr/lib/cps-bridge/connections.nft usr/lib/cps-bridge/node
      usr/lib/systemd/system/bridge.service usr/lib/systemd/system/cps-board-order.path
      usr/lib/systemd/system/cps-board-order.service usr/lib/systemd/system/cps-certificate.service
      usr/lib/systemd/system/cps-certificate.timer
      usr/lib/systemd/system/mosquitto.service.d/cps-bridge.conf usr/sbin/cps-board usr/sbin/cps-setup
      usr/share/cps-bridge/acl usr/share/doc/cps-bridge/copyright usr/share/man/man8/cps-board.8.gz
      usr/share/man/man8/cps-bridge.8.gz usr/share/man/man8/cps-setup.8.gz
    `),
    );
    expect(listed.filter((line) => line !== '' && !line.includes(' root/root '))).toEqual([]);
    expect(listed.filter((line) => /^.{5}w|^.{8}w/.test(line) && !line.startsWith('l'))).toEqual([]);
    const control = run('dpkg-deb', '--field', file);
    expect(control).toContain(`Version: ${VERSION}\n`);
    expect(control).toContain('Architecture: armhf\n');
    expect(control).toContain('nodejs (>= 24)');
    expect(control).not.toContain('${');
    expect(readFileSync(build()).equals(bytes)).toBe(true);
  });

  test.skipIf(!has('/usr/bin/systemd-analyze'))(
    'OPS-7 systemd finds nothing wrong with its units',
    async () => {
      const folder = freshFolder();
      run('dpkg-deb', '--extract', built(), join(folder, 'root'));
      const units = globSync(`${folder}/root/usr/lib/systemd/system/*.{service,timer,path}`);
      expect(units).toHaveLength(5);
      expect(await verify(units)).toBe('');
    },
  );
});

/** systemd's complaints about units, except that programs and manual pages are not installed here. */
async function verify(units: string[]): Promise<string> {
  const said = await type(`systemd-analyze verify --man=no --recursive-errors=no ${units.join(' ')} || true`);
  return said
    .split('\n')
    .filter((line) => !/cps-(bridge\/\S+|board) is not executable: No such file|^$/.test(line))
    .join('\n');
}
