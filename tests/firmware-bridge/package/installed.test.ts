import { randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERSION } from '#contract/release';
import { buildPackage } from '../../../scripts/build/package.ts';
import { isFull } from '../../support/counts.ts';
import { startIngest } from '../support/ingest.ts';
import { freshFolder, until } from '../support/processes.ts';
import { bootPi, canBoot, publishFrom, reachFrom, type Pi } from './fresh-pi.ts';
import { words } from '../../support/words.ts';

const LATER = '99.0.0';
/** gzip instead of xz, which takes a minute. */
const QUICK = ['-Zgzip', '-z1'];
const MINUTES = 10 * 60_000;
const BRIDGE_ID = 'greenhouse';
/** A key like those of `npm run bridge -- key`. */
const BRIDGE_KEY = randomBytes(32).toString('hex');

function place(pi: Pi, version: string): string {
  const file = buildPackage('amd64', { version, folder: freshFolder(), compression: QUICK });
  const to = `/root/cps-bridge_${version}.deb`;
  copyFileSync(file, join(pi.root, to));
  return to;
}

async function setUp(pi: Pi) {
  const ingest = await startIngest();
  await ingest.run(
    `INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('${BRIDGE_ID}', '${BRIDGE_KEY}', 0)`,
  );
  const deb = place(pi, VERSION);
  const commands: [string, Record<string, string>][] = [
    [`apt-get install --yes ${deb}`, {}],
    [
      `cps-setup --bridge-id ${BRIDGE_ID} --ingest-url http://127.0.0.1:8788 --broker-name greenhouse.lab.example`,
      { BRIDGE_KEY },
    ],
    ['cps-board add fern --for micropython --to /root/fern', {}],
  ];
  const began = performance.now();
  const lines: string[] = [];
  for (const [index, [command, env]] of commands.entries()) {
    if (index === 1) await reachFrom(pi, ingest.url);
    const { ms } = await pi.well(command, env);
    lines.push(`${(ms / 1000).toFixed(1)} s  ${command}`);
  }
  const settings = readFileSync(join(pi.root, 'root/fern/settings.py'), 'utf8');
  return { ingest, settings, commands, lines, began };
}

const sha = async (pi: Pi, ...files: string[]) => (await pi.well(`sha256sum ${files.join(' ')}`)).output;
const isActive = async (pi: Pi, unit: string) => (await pi.run(`systemctl is-active ${unit}`)).output.trim();
const KEPT = words(`
  /etc/cps-bridge.env /etc/cps-bridge/ca.key /etc/mosquitto/cps-passwords /etc/mosquitto/cps-acl
  /etc/mosquitto/cps-users /etc/mosquitto/certs/server.crt
`);

describe.runIf(isFull && canBoot)('the package on a machine of its own', () => {
  test(
    'OPS-7 from a fresh Debian to the first reading stored are at most five commands and five minutes',
    { timeout: MINUTES },
    async () => {
      const pi = await bootPi();
      const { ingest, settings, commands, lines, began } = await setUp(pi);
      publishFrom(pi, settings, [512]);
      await until('stored', async () => (await ingest.count()) === 1);
      const seconds = (performance.now() - began) / 1000;
      expect(await ingest.readings()).toMatchObject([{ plant: 'fern', soil_moisture: 512 }]);
      console.log(
        [...lines, `${commands.length} commands, ${seconds.toFixed(1)} s to the first reading stored`].join(
          '\n',
        ),
      );
      expect(commands.length).toBeLessThanOrEqual(5);
      expect((await pi.well('cps-bridge --version')).output).toBe(`${VERSION}\n`);
      expect((await pi.well('cps-bridge health')).output).toContain('"ok": true');
      const verified = await pi.run(
        'systemd-analyze verify --man=no bridge.service cps-certificate.timer cps-board-order.path',
      );
      expect(verified).toMatchObject({ code: 0, output: '' });
      expect(statSync(join(pi.root, 'etc/cps-bridge.env')).mode & 0o777).toBe(0o600);
      const wrong = await pi.run(`cps-setup --bridge-id ${BRIDGE_ID}`, { BRIDGE_KEY: 'x'.repeat(40) });
      expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was changed.') });
      expect((await pi.well('cps-bridge health')).output).toContain('"ok": true');
    },
  );

  test(
    'OPS-7 the certificate is renewed before it ends, without a restart, and boards need nothing new',
    { timeout: MINUTES },
    async () => {
      const pi = await bootPi();
      const { ingest, settings } = await setUp(pi);
      const end = (await pi.well('openssl x509 -in /etc/mosquitto/certs/server.crt -noout -enddate')).output;
      expect(
        (await pi.well('openssl verify -CAfile /etc/cps-bridge/ca.crt /etc/mosquitto/certs/server.crt'))
          .output,
      ).toContain('OK');
      expect(
        (await pi.run(`openssl x509 -in /etc/cps-bridge/ca.crt -noout -checkend ${19 * 365 * 86_400}`)).code,
      ).toBe(0);
      const [before] = [await sha(pi, '/etc/mosquitto/certs/server.crt')];
      await pi.well('systemctl start cps-certificate.service');
      expect(await sha(pi, '/etc/mosquitto/certs/server.crt')).toBe(before);
      expect(end).toContain('notAfter');

      // Makes a certificate that ends in 29 days.
      await pi.well(
        "sed -i 's/-days 365/-days 29/' /usr/lib/cps-bridge/certificates && cps-bridge certificate renew",
      );
      await pi.well("sed -i 's/-days 29/-days 365/' /usr/lib/cps-bridge/certificates");
      const broker = (await pi.well('systemctl show --property MainPID mosquitto')).output;
      const served = async () =>
        (
          await pi.well(
            'openssl s_client -connect 127.0.0.1:8883 -CAfile /etc/cps-bridge/ca.crt -verify_return_error </dev/null 2>/dev/null | openssl x509 -noout -enddate',
          )
        ).output;
      const short = await until('the short one is served', async () => {
        const now = await served();
        return now !== end && now;
      });
      await pi.well('systemctl start cps-certificate.service');
      await until('another one is served', async () => (await served()) !== short);
      expect((await pi.well('systemctl show --property MainPID mosquitto')).output).toBe(broker);
      publishFrom(pi, settings, [512]);
      await until('stored', async () => (await ingest.count()) === 1);
      const shown = (await pi.well('cps-bridge certificate renew --name pi.lab.example')).output;
      for (const name of ['pi.lab.example', 'greenhouse.lab.example', 'greenhouse.local', 'localhost'])
        expect(shown).toContain(`DNS:${name}`);
    },
  );

  test(
    'OPS-7 an upgrade keeps readings, settings, passwords and rights; removal too; purge asks for the readings',
    { timeout: MINUTES },
    async () => {
      const pi = await bootPi();
      const { ingest, settings } = await setUp(pi);
      await pi.well('echo HOME_ASSISTANT=off >> /etc/cps-bridge.env');
      await ingest.stop();
      publishFrom(pi, settings, [1, 2, 3]);
      const depth = async () => /"spool_depth": (\d+)/.exec((await pi.run('cps-bridge health')).output)?.[1];
      await until('three wait', async () => (await depth()) === '3');
      const before = await sha(pi, ...KEPT);

      await pi.well(`apt-get install --yes ${place(pi, LATER)}`);
      expect((await pi.well('dpkg-query -W cps-bridge')).output).toBe(`cps-bridge\t${LATER}\n`);
      expect(await sha(pi, ...KEPT)).toBe(before);
      await until('three wait still', async () => (await depth()) === '3');
      expect(await isActive(pi, 'bridge')).toBe('active');

      await pi.well('apt-get remove --yes cps-bridge');
      expect(await sha(pi, ...KEPT)).toBe(before);
      expect(await isActive(pi, 'mosquitto')).toBe('active');
      expect((await pi.well('systemctl show --property ExecStart mosquitto')).output).toContain(
        '/etc/mosquitto/mosquitto.conf',
      );
      expect((await pi.run('systemctl is-active bridge')).output).toBe('inactive\n');
      expect((await pi.well('dpkg --verify mosquitto')).output).toBe('');

      await pi.well(`apt-get install --yes /root/cps-bridge_${LATER}.deb`);
      expect(await sha(pi, ...KEPT)).toBe(before);
      await until('three wait after coming back', async () => (await depth()) === '3');

      await pi.well('apt-get purge --yes cps-bridge');
      for (const file of [...KEPT, '/etc/mosquitto/cps.conf'])
        expect((await pi.run(`test -e ${file}`)).code, file).toBe(1);
      expect((await pi.well('ls /var/lib/cps-bridge/')).output).toContain('spool.sqlite');

      await pi.well(`apt-get install --yes /root/cps-bridge_${LATER}.deb`);
      await pi.well("echo 'cps-bridge cps-bridge/delete-readings boolean true' | debconf-set-selections");
      await pi.well('apt-get purge --yes cps-bridge');
      expect((await pi.run('ls -d /var/lib/cps-bridge /var/lib/private/cps-bridge')).output).not.toMatch(
        /^\//m,
      );
    },
  );

  test(
    'OPS-7 a certificate from elsewhere and the rights of bridges stay, those of boards are this version’s',
    { timeout: MINUTES },
    async () => {
      const pi = await bootPi();
      await pi.well(
        'mkdir -p /etc/mosquitto/certs && openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=broker.lab.example -keyout /etc/mosquitto/certs/server.key -out /etc/mosquitto/certs/server.crt',
      );
      writeFileSync(
        join(pi.root, 'etc/mosquitto/cps-acl'),
        'pattern write an/older/%u\n\nuser cps-bridge-a\ntopic read lab/plants/+/soil_moisture\n',
      );
      const before = await sha(pi, '/etc/mosquitto/certs/server.crt');
      await pi.well(`apt-get install --yes ${place(pi, VERSION)}`);
      expect(await sha(pi, '/etc/mosquitto/certs/server.crt')).toBe(before);
      expect((await pi.well('cps-bridge certificate')).output).toContain('it was made elsewhere');
      const acl = readFileSync(join(pi.root, 'etc/mosquitto/cps-acl'), 'utf8');
      expect(acl).not.toContain('an/older');
      expect(acl).toMatch(
        /^# A board[^]+\npattern write lab[^]+\n\nuser cps-bridge-a\ntopic read lab\/plants\/\+\/soil_moisture\n$/,
      );
    },
  );
});
