import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freshFolder, until } from '../support/processes.ts';

const TOOLS = ['/usr/bin/mmdebstrap', '/usr/bin/systemd-nspawn', '/usr/bin/nsenter', '/usr/bin/dpkg-deb'];
/** Whether a separate Debian can be booted with systemd, in namespaces, which only root can do. */
export const canBoot =
  process.getuid?.() === 0 &&
  TOOLS.every((tool) => existsSync(tool)) &&
  spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true']).status === 0;

/** A new Debian with the package's dependencies in apt's cache, because the machine has no network. */
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
  /** The root folder of the machine, as a folder of this machine. */
  root: string;
  /** The process id of the machine's init. */
  leader: number;
  /** Runs a command in a shell of the machine's root. */
  run: (command: string, env?: Record<string, string>) => Promise<Ran>;
  /** The same. @throws Error with the output if the command fails */
  well: (command: string, env?: Record<string, string>) => Promise<Ran>;
};

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Boots a new Debian with its own systemd and an empty network. */
export async function bootPi(): Promise<Pi> {
  const root = join(freshFolder(), 'root');
  mkdirSync(root);
  execFileSync('tar', ['xf', cachedRoot(), '-C', root]);
  writeFileSync(join(root, 'etc/hostname'), 'greenhouse\n');
  // Two machines in one control group would end each other.
  const group = join(existsSync(GROUPS_V1) ? GROUPS_V1 : GROUPS, `cps-package-${process.pid}-${Date.now()}`);
  const boot = `mkdir ${group} && echo $$ > ${group}/cgroup.procs && exec systemd-nspawn --quiet --boot --private-network \
    --register=no --keep-unit --console=pipe -D ${root}`;
  const nspawn = spawn('/bin/sh', ['-c', boot], { stdio: 'ignore' });
  const ended = new Promise((resolve) => nspawn.on('exit', resolve));
  const children = `/proc/${nspawn.pid}/task/${nspawn.pid}/children`;
  // Before init, nspawn has other child processes.
  const leader = await until('its init', () => {
    const pids = readFileSync(children, 'utf8').trim().split(' ').map(Number);
    return pids.find((pid) => pid > 0 && nameOf(pid) === 'systemd');
  });
  onTestFinished(async () => {
    // When init is killed, all processes of the machine end.
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
 * Lets the machine reach an address of this machine, by a socket in its folder: they share no network.
 * @returns the address for the machine
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

/** Publishes readings as a board, with a client of this machine in the network of the other. */
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
