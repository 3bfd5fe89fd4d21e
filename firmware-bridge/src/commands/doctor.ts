import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { connect as connectPlain, isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect as connectTls } from 'node:tls';
import * as z from 'zod';
import { CLOCK_SKEW_MS, minFreeDiskBytes } from '#contract/alert-limits';
import { REPAIR_STEPS } from '#contract/first-steps';
import { isOlderVersion, VERSION } from '#contract/release';
import { printable } from '#contract/printable-text';
import { createClock } from '../clock.ts';
import { bridgeUser, mosquittoEnvSchema, readConfig, type Config } from '../config.ts';
import { createIngestClient } from '../deliver/ingest-client.ts';
import { deadLetterFilesIn, readDeadLetterLines } from '../spool/dead-letter-files.ts';
import { diskSpace } from '../spool/disk.ts';
import { explainError, errorFirstStep, withErrorPath, currentInstallation } from '../system-error.ts';
import { damagedFileStep } from './replay-dead-letters.ts';
import { requestBridgeHealth, failureMeaning, signatureRefusal } from './setup-check.ts';
import { bridgeAclTopics, isPasswordOf, userAclTopics } from './mosquitto-users.ts';

/* `doctor`: prints one line for each part, and the first step if a part is red. */

/** What a check has found. If it has a first step, the part is red. */
export type Finding = { said: string; step?: string };
type Look = () => Finding | Promise<Finding>;
type Env = Record<string, string | undefined>;

/** @param otherwise the first step to use if the text has none */
export function failedFinding(text: string, otherwise: string): Finding {
  const [said = '', step = otherwise] = text.split(/\.? First step: /);
  return { said, step };
}

/** A check whose first step is always this step, if the check fails. */
export const withFirstStep =
  (step: string, look: Look): Look =>
  async () => {
    try {
      return await look();
    } catch (error) {
      return { said: failedFinding(explainError(error), step).said, step };
    }
  };

/** With less free space than this, neither the spool nor the databases accept data. */
const FULL_BYTES = 8 * 1024 * 1024;

/** If a check fails and the disk is full, the first step is to free space, not the check's own step. */
export function checkDiskFirst(folder: string, look: Look): Look {
  const disk = diskSpace(folder);
  if (disk === null || disk.free >= FULL_BYTES) return look;
  const room = errorFirstStep('ENOSPC', folder) ?? '';
  return async () => {
    const { said, step } = await withFirstStep(room, look)();
    return step === undefined ? { said } : { said: `the disk is full: ${said}`, step: room };
  };
}

/**
 * Checks each part. A part is red if its check throws an error.
 * @param parts by name: the check, and the first step for an error that has none
 * @returns the text to print, and the exit status: 1 if a part is red
 */
export async function checkParts(
  parts: Record<string, [look: Look, otherwise: string]>,
): Promise<{ exitCode: number; text: string }> {
  const line = (part: string, { said, step }: Finding) => ({
    isRed: step !== undefined,
    text: `${step === undefined ? 'ok ' : 'RED'}  ${part.padEnd(12)} ${printable(said)}${step === undefined ? '' : `. First step: ${printable(step)}`}`,
  });
  const lines = await Promise.all(
    Object.entries(parts).map(async ([part, [look, otherwise]]) => {
      try {
        return line(part, await look());
      } catch (error) {
        return line(part, failedFinding(explainError(error), otherwise));
      }
    }),
  );
  return {
    exitCode: lines.some(({ isRed }) => isRed) ? 1 : 0,
    text: lines.map(({ text }) => text).join('\n'),
  };
}

/** Compares the free space on a folder's disk with the limit at which the portal alerts. */
export function checkDisk(folder: string): Finding {
  const disk = diskSpace(folder);
  if (disk === null) return failedFinding(`${folder} does not exist`, errorFirstStep('ENOENT', folder) ?? '');
  const said = `${(disk.free / 1e9).toFixed(1)} GB free for ${folder}`;
  return disk.free < minFreeDiskBytes(disk.size)
    ? failedFinding(said, errorFirstStep('ENOSPC', folder) ?? '')
    : { said };
}

/** @throws Error of SQLite if the file cannot be used; if the file is damaged, the finding is red */
export function checkSpool(file: string): Finding {
  if (!existsSync(file)) return { said: `${file} does not exist yet` };
  return withErrorPath(file, () => {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const result = String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);
      const waiting = db.prepare('SELECT count(*) AS n FROM readings').get()?.['n'];
      if (result === 'ok') return { said: `not damaged, ${String(waiting)} readings wait for delivery` };
      return failedFinding(`${file}: ${result}`, errorFirstStep('SQLITE_CORRUPT', file) ?? '');
    } finally {
      db.close();
    }
  });
}

/** Finds files of dead letters with lines that a full disk or a power failure damaged. */
export async function checkDeadLetterFiles(folder: string): Promise<Finding> {
  for (const { name } of deadLetterFilesIn(folder)) {
    const file = join(folder, name);
    for await (const { letter, number } of readDeadLetterLines(file))
      if (letter === undefined)
        return failedFinding(`line ${number} of ${file} is damaged`, damagedFileStep(file));
  }
  return { said: 'the files of dead letters are not damaged' };
}

/** Checks that the broker listens and, over TLS, that its certificate is right. */
export async function checkBroker({ url, ca }: Pick<Config['mqtt'], 'url' | 'ca'>): Promise<Finding> {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'mqtts:' || protocol === 'wss:';
  const usual = { 'mqtt:': 1883, 'mqtts:': 8883, 'ws:': 80, 'wss:': 443 }[protocol];
  const options = { host: hostname, port: Number(port) || (usual ?? 1883), timeout: 10_000 };
  const name = isIP(hostname) === 0 ? { servername: hostname } : {};
  return await new Promise((resolve, reject) => {
    const done = () => {
      socket.destroy();
      resolve({ said: `${url} answers${isTls ? ' with a valid certificate' : ''}` });
    };
    const socket = isTls
      ? connectTls({ ...options, ...name, ...(ca && { ca }) }, done)
      : connectPlain(options, done);
    socket.on('error', reject);
    socket.on('timeout', () =>
      socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT', syscall: 'connect' })),
    );
  });
}

/** Checks how far this machine's clock is from the ingest worker's. */
async function lookAtClock({ ingest }: Config): Promise<Finding> {
  const clock = createClock();
  const failed = await createIngestClient({ ...ingest, clock }).askTime();
  if (failed !== null)
    return failedFinding(
      `unknown: ${failureMeaning(failed.failure)}`,
      REPAIR_STEPS.clock(currentInstallation()),
    );
  const off = Math.round((Date.now() - clock.now()) / 1000);
  const said = `${Math.abs(off)} s ${off < 0 ? 'behind' : 'ahead of'} the ingest worker`;
  return Math.abs(off) * 1000 > CLOCK_SKEW_MS
    ? failedFinding(
        `${said}: a wrong clock makes certificates invalid`,
        REPAIR_STEPS.clock(currentInstallation()),
      )
    : { said };
}

/** Where the package puts its certificates; the paths are without the endings .crt and .key. */
const CERTIFICATES = { certificate: '/etc/mosquitto/certs/server', authority: '/etc/cps-bridge/ca' };
type Certificates = typeof CERTIFICATES;

/** @throws Error if certificate or key is damaged, or if they do not match; ignores an unreadable key */
function pairAt(base: string): X509Certificate {
  const certificate = new X509Certificate(readFileSync(`${base}.crt`));
  try {
    accessSync(`${base}.key`, constants.R_OK);
  } catch {
    if (existsSync(`${base}.key`)) return certificate;
  }
  if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(`${base}.key`))))
    throw new Error(`${base}.key is not the key of ${base}.crt`);
  return certificate;
}

function lookAtCertificate({ certificate, authority }: Certificates): Finding {
  if (!existsSync(dirname(certificate))) return { said: 'the broker runs on another machine' };
  const own = pairAt(certificate);
  const said = `valid until ${own.validTo}`;
  if (Date.parse(own.validFrom) > Date.now())
    return failedFinding(`not valid before ${own.validFrom}`, REPAIR_STEPS.clock(currentInstallation()));
  if (Date.parse(own.validTo) < Date.now())
    return failedFinding(`expired: ${said}`, REPAIR_STEPS.certificate);
  if (!own.issuer.includes('cps-bridge authority of ')) return { said: `${said}, made elsewhere` };
  const isSigned = own.verify(new X509Certificate(readFileSync(`${authority}.crt`)).publicKey);
  return isSigned ? { said } : failedFinding(`not signed by ${authority}.crt`, REPAIR_STEPS.certificate);
}

function lookAtAuthority({ authority }: Certificates): Finding {
  if (!existsSync(dirname(authority))) return { said: 'the broker runs on another machine' };
  return { said: `valid until ${pairAt(authority).validTo}` };
}

function lookAtRights({ mqtt, ingest }: Config, env: Env): Finding {
  const { MOSQUITTO_PASSWORD_FILE: passwords, MOSQUITTO_ACL_FILE: acl } = mosquittoEnvSchema.parse(env);
  if (!existsSync(dirname(passwords))) return { said: 'the broker runs on another machine' };
  const user = bridgeUser(ingest.bridgeId);
  if (!existsSync(acl))
    return failedFinding(`${acl} does not exist`, REPAIR_STEPS.rights(acl, currentInstallation()));
  const own = userAclTopics(readFileSync(acl, 'utf8'), user);
  if (own?.join() !== bridgeAclTopics(ingest.bridgeId).join())
    return failedFinding(`${acl} lacks the rights of ${user}`, REPAIR_STEPS.settings(currentInstallation()));
  const isKnown = mqtt.password === undefined || isPasswordOf(passwords, user, mqtt.password);
  return isKnown
    ? { said: `${user} has its password and its rights` }
    : failedFinding(
        `${passwords} does not have the password of ${user}`,
        REPAIR_STEPS.settings(currentInstallation()),
      );
}

const saidSchema = z.object({ version: z.string(), failures: z.array(z.string()), ok: z.boolean() });

async function lookAtBridge(env: Env): Promise<Finding> {
  const { text, exitCode } = await requestBridgeHealth(env);
  if (!text.startsWith('{')) return failedFinding(text, REPAIR_STEPS.bridge(currentInstallation()));
  const { failures } = saidSchema.parse(JSON.parse(text));
  return exitCode === 0
    ? { said: 'runs without problems' }
    : failedFinding(
        `runs, but reports problems: ${failures.join(', ')}`,
        REPAIR_STEPS.log(currentInstallation()),
      );
}

async function lookAtVersions(env: Env): Promise<Finding> {
  const { text } = await requestBridgeHealth(env);
  const running = text.startsWith('{') ? saidSchema.parse(JSON.parse(text)).version : undefined;
  const said = `this is ${VERSION} on Node ${process.versions.node}`;
  if (running === undefined || !isOlderVersion(running, VERSION)) return { said };
  return failedFinding(`${said}, but the bridge runs ${running}`, REPAIR_STEPS.bridge(currentInstallation()));
}

/** Asks the running bridge: a heartbeat by this command would overwrite the running bridge's heartbeat. */
async function lookAtWorker({ ingest }: Config, env: Env): Promise<Finding> {
  const { text } = await requestBridgeHealth(env);
  const failure = text.startsWith('{')
    ? saidSchema.parse(JSON.parse(text)).failures.find((each) => each.startsWith('ingest_'))
    : undefined;
  const refusal = text.startsWith('{')
    ? failure && failureMeaning(failure)
    : await signatureRefusal({ INGEST_URL: ingest.url, BRIDGE_ID: ingest.bridgeId, BRIDGE_KEY: ingest.key });
  const said = `${ingest.url} accepts this bridge`;
  return refusal
    ? failedFinding(`${ingest.url} fails: ${refusal}`, REPAIR_STEPS.settings(currentInstallation()))
    : { said };
}

/** What `cps-bridge doctor` prints, and its exit status. */
export async function bridgeDoctor(env: Env, certificates = CERTIFICATES) {
  const config = readConfig(env);
  const settings = REPAIR_STEPS.settings(currentInstallation());
  const lost = REPAIR_STEPS.authority(`${certificates.authority}.crt`);
  const onDisk = (look: Look) => checkDiskFirst('problems' in config ? '/' : dirname(config.spoolFile), look);
  const whole: Record<string, [Look, string]> =
    'problems' in config
      ? { settings: [() => failedFinding(config.problems.join('; '), settings), settings] }
      : {
          settings: [() => ({ said: `for the bridge ${config.ingest.bridgeId}` }), settings],
          clock: [() => lookAtClock(config), REPAIR_STEPS.clock(currentInstallation())],
          spool: [onDisk(() => checkSpool(config.spoolFile)), REPAIR_STEPS.log(currentInstallation())],
          'dead letters': [
            () => checkDeadLetterFiles(dirname(config.spoolFile)),
            REPAIR_STEPS.log(currentInstallation()),
          ],
          disk: [() => checkDisk(dirname(config.spoolFile)), REPAIR_STEPS.log(currentInstallation())],
          rights: [() => lookAtRights(config, env), settings],
          broker: [() => checkBroker(config.mqtt), REPAIR_STEPS.broker(currentInstallation())],
          worker: [() => lookAtWorker(config, env), settings],
        };
  return await checkParts({
    ...whole,
    certificate: [withFirstStep(REPAIR_STEPS.certificate, () => lookAtCertificate(certificates)), settings],
    authority: [withFirstStep(lost, () => lookAtAuthority(certificates)), settings],
    bridge: [onDisk(() => lookAtBridge(env)), REPAIR_STEPS.bridge(currentInstallation())],
    versions: [() => lookAtVersions(env), REPAIR_STEPS.bridge(currentInstallation())],
  });
}
