import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { shellQuoted } from '#contract/first-steps';
import { plantTopic } from '#contract/plant-id';
import { boardUserFor } from '../firmware-bridge/src/commands/board-command.ts';
import {
  boardKinds,
  existingFileReader,
  boardHostName,
  writeBoardFiles,
} from '../firmware-bridge/src/commands/board-files.ts';
import {
  isPasswordOf,
  randomPassword,
  setMosquittoPassword,
  mosquittoUsersIn,
} from '../firmware-bridge/src/commands/mosquitto-users.ts';
import { makeFolder, replaceFile } from '../firmware-bridge/src/files.ts';
import { createSelfSignedCertificate } from './certificate.ts';
import type { Settings } from './settings.ts';

/*
 * `npm start -- --lan`: boards of the local network connect to the embedded broker over TLS, each with its
 * own password. The site is still only on loopback, because its local sign-in asks for no password.
 */

export type LanSettings = { address: string; port: number; folder: string; plants: string[] };

const FIRST = 'first-board';
/** Minimum characters of a password. If a password is shorter, a full disk has cut it off. */
const PASSWORD_MIN = 32;

/** Names of interfaces of containers, virtual machines and tunnels. No board uses them. */
const INNER = /^(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|wg|zt|tailscale)/;
const OF_HOMES = /^(192\.168|10|172\.(1[6-9]|2\d|3[01]))\./;

/** This machine's IPv4 addresses. The first is the one that boards can most probably reach. */
export function lanAddresses(interfaces = networkInterfaces()): string[] {
  const rank = (name: string, address: string) =>
    (INNER.test(name) ? 2 : 0) + (OF_HOMES.test(address) ? 0 : 1);
  return Object.entries(interfaces)
    .flatMap(([name, all = []]) =>
      all
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address }) => ({ address, rank: rank(name, address) })),
    )
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ address }) => address);
}

/**
 * The settings for `--lan`; undefined without `--lan`.
 * @param words the arguments of `npm start`: after `--lan` come the plants whose boards will connect
 * @throws Error saying why boards cannot connect
 */
export function parseLanArguments(words: readonly string[], settings: Settings): LanSettings | undefined {
  if (!words.includes('--lan')) return undefined;
  if (settings.MQTT_URL !== undefined)
    throw new Error('wrong settings: --lan needs the embedded broker: leave MQTT_URL out');
  const folder = join(settings.DATA_DIR, 'lan');
  const wanted = words.filter((word) => !word.startsWith('--'));
  for (const plant of wanted) {
    const found = boardUserFor(plant, true);
    if ('problem' in found) throw new Error(found.problem);
  }
  const users = mosquittoUsersIn(passwordFileIn(folder));
  const known = users.filter((plant) => existsSync(passwordOf(folder, plant)));
  // Leaves out boards that got their password in the browser: it is unknown here, and must not be replaced.
  const plants = [...new Set([...known, ...wanted])].filter((plant) => {
    const kept = keptIn(folder, plant);
    return (
      !users.includes(plant) ||
      kept.length < PASSWORD_MIN ||
      isPasswordOf(passwordFileIn(folder), plant, kept)
    );
  });
  const told = settings.BOARDS_MQTT_URL === undefined ? undefined : new URL(settings.BOARDS_MQTT_URL);
  const address = told?.hostname ?? lanAddresses()[0];
  if (address === undefined)
    throw new Error(
      'this machine has no network address for boards. First step: connect it to a network, or set its address: BOARDS_MQTT_URL=mqtts://<address>:8883',
    );
  return {
    address,
    port: Number(told?.port ?? '') || 8883,
    folder,
    plants: users.length + plants.length === 0 ? [FIRST] : plants,
  };
}

export const passwordFileIn = (folder: string) => join(folder, 'passwords');
/** The key and the certificate are in one file, so that they always match. */
export const pemFileIn = (folder: string) => join(folder, 'broker.pem');
const caOf = (folder: string) => join(folder, 'ca.crt');
const placeOf = (folder: string, plant: string) => join(folder, boardHostName(plant));
const passwordOf = (folder: string, plant: string) => join(placeOf(folder, plant), 'password');

function keptIn(folder: string, plant: string): string {
  const file = passwordOf(folder, plant);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

/** Settings that let the local bridge add and revoke boards. */
export const lanBridgeSettings = ({ address, port, folder }: LanSettings) => ({
  MOSQUITTO_PASSWORD_FILE: passwordFileIn(folder),
  BOARDS_MQTT_URL: `mqtts://${address}:${port}`,
  MQTT_CA_FILE: caOf(folder),
});

export const hasLan = (dataDir: string) => existsSync(passwordFileIn(join(dataDir, 'lan')));

/** The existing certificate; undefined if the certificate or its key is damaged. */
function certificateIn(folder: string): X509Certificate | undefined {
  try {
    const pem = readFileSync(pemFileIn(folder), 'utf8');
    const certificate = new X509Certificate(pem);
    return certificate.checkPrivateKey(createPrivateKey(pem)) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

export const isPemValid = (folder: string) => certificateIn(folder) !== undefined;

/** Whether the certificate has not expired and is valid for this address. */
function isFor(certificate: X509Certificate | undefined, address: string): boolean {
  if (certificate === undefined || Date.parse(certificate.validTo) < Date.now()) return false;
  return (isIPv4(address) ? certificate.checkIP(address) : certificate.checkHost(address)) !== undefined;
}

/**
 * Creates a missing certificate, password or board's file. An operator's changes in these files stay.
 * @returns whether boards must be flashed again, because the address, the key or a password is new
 * @throws Error if a file cannot be written, or if the operator's changes would be lost
 */
export function prepareLanBoards(lan: LanSettings): boolean {
  const { address, port, folder, plants } = lan;
  makeFolder(folder, 0o700);
  const isKnown = existsSync(passwordFileIn(folder));
  const isNew = !isFor(certificateIn(folder), address);
  let isOther = isKnown && isNew;
  if (isNew) {
    const { key, certificate } = createSelfSignedCertificate([
      address,
      `${hostname().split('.')[0]}.local`,
      'localhost',
      '127.0.0.1',
    ]);
    replaceFile(pemFileIn(folder), key + certificate);
  }
  const ca = new X509Certificate(readFileSync(pemFileIn(folder))).toString().trim();
  replaceFile(caOf(folder), `${ca}\n`, 0o644);
  for (const plant of plants) {
    makeFolder(placeOf(folder, plant), 0o700);
    const kept = keptIn(folder, plant);
    // With an empty password, anybody could sign in. A password that was revoked must not be valid again.
    const isRevoked = isKnown && !mosquittoUsersIn(passwordFileIn(folder)).includes(plant);
    const password = isRevoked || kept.length < PASSWORD_MIN ? randomPassword() : kept;
    if (password !== kept && mosquittoUsersIn(passwordFileIn(folder)).includes(plant)) isOther = true;
    for (const [name, kind] of Object.entries(boardKinds)) {
      const to = join(placeOf(folder, plant), name);
      writeBoardFiles(to, kind.files({ plant, password, broker: address, port, ca }, existingFileReader(to)));
    }
    replaceFile(passwordOf(folder, plant), `${password}\n`);
    if (!isPasswordOf(passwordFileIn(folder), plant, password))
      setMosquittoPassword(passwordFileIn(folder), plant, password);
  }
  return isOther;
}

/** The commands to type, the files to flash and the pages to read next. */
export function lanBoardInstructions({ address, port, folder, plants }: LanSettings): string[] {
  const publish = (plant: string) =>
    `mosquitto_pub -h ${address} -p ${port} --cafile ${shellQuoted(caOf(folder))} -u ${shellQuoted(plant)} -P "$(cat ${shellQuoted(passwordOf(folder, plant))})" -q 1 -t ${shellQuoted(plantTopic(plant, 'soil_moisture'))} -m '{"soil_moisture":512}'`;
  return [
    `  boards mqtts://${address}:${port} for this network; everything else stays on this machine`,
    ...plants.flatMap((plant) => [
      `         ${plant}: send one test reading with this command; it then shows on 화분 관리`,
      `           ${publish(plant)}`,
      `         ${plant}: flash the files in this folder (docs/first-board.md)`,
      `           ${placeOf(folder, plant)}/{${Object.keys(boardKinds).join(',')}}`,
    ]),
    `         to add a board: 시스템 상태 → 보드 만들기, or end this run and npm start -- --lan <plant>`,
  ];
}
