import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freshFolder, until } from '../support/processes.ts';

const TOOLS = ['/usr/bin/mmdebstrap', '/usr/bin/systemd-nspawn', '/usr/bin/nsenter', '/usr/bin/dpkg-deb'];
/** A Debian of its own is booted under systemd, in namespaces: that takes root. */
export const canBoot =
  process.getuid?.() === 0 &&
  TOOLS.every((tool) => existsSync(tool)) &&
  spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true']).status === 0;

/** Debian as it is first installed, with what the package depends on in apt's cache: the machine has no network then. */
const CACHED = '.cache/debian-root.tar';
const INSTALLED = 'systemd,systemd-sysv,dbus,ca-certificates,openssl,adduser,apt-utils';
const DOWNLOADED = 'mosquitto libstdc++6 debconf';

function cachedRoot(): string {
  if (existsSync(CACHED)) return CACHED;
  mkdirSync('.cache', { recursive: true });
  const made = `.cache/debian-root-${process.pid}.tar`;
  execFileSync(
    'mmdebstrap',
    [
      '--quiet',
      '--variant=minbase',
      `--include=${INSTALLED}`,
      '--skip=cleanup/apt',
      `--customize-hook=chroot "$1" apt-get -o APT::Install-Recommends=true install --yes --download-only ${DOWNLOADED}`,
      'bookworm',
      made,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  renameSync(made, CACHED);
  return CACHED;
}

const GROUPS = '/sys/fs/cgroup';
const GROUPS_V1 = '/sys/fs/cgroup/systemd';

export type Ran = { code: number; output: string; ms: number };
export type Pi = {
  /** Its root as a folder of this machine. */
  root: string;
  /** The process that is its init. */
  leader: number;
  /** Runs a command as its root would at a shell. */
  run: (command: string, env?: Record<string, string>) => Promise<Ran>;
  /** The same, and fails with its output unless it went well. */
  well: (command: string, env?: Record<string, string>) => Promise<Ran>;
};

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** A fresh Debian under its own systemd, with a network of its own in which there is only itself. */
export async function bootPi(): Promise<Pi> {
  const root = join(freshFolder(), 'root');
  mkdirSync(root);
  execFileSync('tar', ['xf', cachedRoot(), '-C', root]);
  writeFileSync(join(root, 'etc/hostname'), 'greenhouse\n');
  // Each in a control group of its own: two of them in one would end each other.
  const group = join(existsSync(GROUPS_V1) ? GROUPS_V1 : GROUPS, `cps-package-${process.pid}-${Date.now()}`);
  const boot = `mkdir ${group} && echo $$ > ${group}/cgroup.procs && exec systemd-nspawn --quiet --boot --private-network \
    --register=no --keep-unit --console=pipe -D ${root}`;
  const nspawn = spawn('/bin/sh', ['-c', boot], { stdio: 'ignore' });
  const ended = new Promise((resolve) => nspawn.on('exit', resolve));
  const children = `/proc/${nspawn.pid}/task/${nspawn.pid}/children`;
  // nspawn's helpers come and go before it.
  const leader = await until('its init', () => {
    const pids = readFileSync(children, 'utf8').trim().split(' ').map(Number);
    return pids.find((pid) => pid > 0 && nameOf(pid) === 'systemd');
  });
  onTestFinished(async () => {
    // All processes of the machine go with its init.
    process.kill(leader, 'SIGKILL');
    await ended;
    rmSync(root, { recursive: true, force: true });
    await until('the end of its processes', () => {
      spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
      return !existsSync(group);
    });
  });
  const run: Pi['run'] = (command, env = {}) => {
    const began = performance.now();
    const inside = ['--mount', '--uts', '--ipc', '--net', '--pid', '--root', '--wd'];
    const child = spawn('nsenter', ['--target', String(leader), ...inside, '/bin/sh', '-c', command], {
      env: {
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        DEBIAN_FRONTEND: 'noninteractive',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    return new Promise((resolve) => {
      child.on('close', (code) => resolve({ code: code ?? -1, output, ms: performance.now() - began }));
    });
  };
  await until('systemd', async () =>
    /running|degraded/.test((await run('systemctl is-system-running --wait')).output),
  );
  return {
    root,
    leader,
    run,
    well: async (command, env) => {
      const ran = await run(command, env);
      if (ran.code !== 0) throw new Error(`${command}: ${ran.code}\n${ran.output}`);
      return ran;
    },
  };
}

/**
 * Lets the machine reach an address of this one, under a port of its own: by a socket in its folder, because the two have
 * no network in common.
 */
export async function reachFrom(pi: Pi, url: string): Promise<string> {
  const target = new URL(url);
  const socket = join(pi.root, 'var/tmp/outside');
  const server = createServer((inside) => {
    const outside = connect(Number(target.port), target.hostname);
    inside.pipe(outside).pipe(inside);
    for (const each of [inside, outside])
      each.on('error', () => [inside, outside].map((end) => end.destroy()));
  });
  await new Promise<void>((resolve) => {
    server.listen(socket, resolve);
  });
  const relay = `const { connect, createServer } = require('node:net');
    createServer((a) => { const b = connect('/var/tmp/outside'); a.pipe(b).pipe(a); a.on('error', () => b.destroy()); b.on('error', () => a.destroy()); }).listen(8788, '127.0.0.1', () => console.log('ready'))`;
  const child = spawn(
    'nsenter',
    ['--target', String(pi.leader), '--net', '--mount', '--root', '/usr/lib/cps-bridge/node', '-e', relay],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  onTestFinished(() => {
    child.kill();
    server.close();
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return 'http://127.0.0.1:8788';
}

/** What a board publishes, by a client of this machine in the network of that one. */
export function publishFrom(pi: Pi, settings: string, values: readonly number[]): void {
  const value = (name: string) => new RegExp(`^${name} = "(.+)"$`, 'm').exec(settings)?.[1] ?? '';
  const ca = /-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----/.exec(settings)?.[0] ?? '';
  const program = `const mqtt = require('mqtt');
    const { plant, password, broker, ca, values } = JSON.parse(process.argv[1]);
    mqtt.connectAsync('mqtts://127.0.0.1:8883', { username: plant, password, ca, servername: broker }).then(async (client) => {
      for (const value of values) await client.publishAsync('lab/plants/' + plant + '/soil_moisture', String(value), { qos: 1 });
      await client.endAsync();
    });`;
  const said = { plant: value('PLANT'), password: value('PASSWORD'), broker: value('BROKER'), ca, values };
  execFileSync(
    'nsenter',
    ['--target', String(pi.leader), '--net', process.execPath, '-e', program, JSON.stringify(said)],
    { stdio: ['ignore', 'inherit', 'inherit'], timeout: 60_000 },
  );
}
