import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSelfSignedCertificate } from '../../../local/certificate.ts';

export const MOSQUITTO = '/usr/sbin/mosquitto';
export const hasMosquitto = existsSync(MOSQUITTO);

const shipped = join(import.meta.dirname, '../../../firmware-bridge/mosquitto');

export type Placed = {
  configuration: string;
  url: string;
  tls: { url: string; caFile: string };
  passwordFile: string;
  /** The list of users that the board command writes. */
  usersFile: string;
  aclFile: string;
  pidFile: string;
  dataFile: string;
};

/** Writes a key and a self-signed certificate for 127.0.0.1. */
export function placeCertificate(folder: string): void {
  const { key, certificate } = createSelfSignedCertificate(['127.0.0.1']);
  writeFileSync(join(folder, 'server.key'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'server.crt'), certificate);
}

/**
 * Writes the shipped configuration into the folder, with the test's addresses and paths.
 * @param open whether no password is needed, and everybody may publish for every plant
 * @param inFlight the maximum number of unacknowledged messages, instead of the shipped value
 */
export function placeMosquitto(
  folder: string,
  plainPort: number,
  tlsPort: number,
  { open, inFlight }: { open: boolean; inFlight?: number | undefined },
): Placed {
  let text = readFileSync(join(shipped, 'mosquitto.conf'), 'utf8')
    .replace('listener 1883', `listener ${plainPort}`)
    .replace('listener 8883', `listener ${tlsPort} 127.0.0.1`)
    .replaceAll('/etc/mosquitto/certs/', `${folder}/`)
    .replace('/etc/mosquitto/cps-acl', `${folder}/acl`)
    .replace('/etc/mosquitto/cps-passwords', `${folder}/passwords`)
    .replace('/run/mosquitto/', `${folder}/`)
    .replace('/var/lib/mosquitto/', `${folder}/`);
  if (open) {
    text = text
      .replace('allow_anonymous false', 'allow_anonymous true')
      .replace(/^(password_file|acl_file|use_username_as_clientid).*$/gm, '');
  }
  if (inFlight !== undefined)
    text = text.replace(/^max_inflight_messages .*$/m, `max_inflight_messages ${inFlight}`);
  placeCertificate(folder);
  const configuration = join(folder, 'mosquitto.conf');
  const passwordFile = join(folder, 'passwords');
  const aclFile = join(folder, 'acl');
  copyFileSync(join(shipped, 'acl'), aclFile);
  writeFileSync(configuration, `${text}\nuser ${process.env['USER'] ?? 'root'}\n`);
  writeFileSync(passwordFile, '');
  return {
    configuration,
    url: `mqtt://127.0.0.1:${plainPort}`,
    tls: { url: `mqtts://127.0.0.1:${tlsPort}`, caFile: join(folder, 'server.crt') },
    passwordFile,
    usersFile: join(folder, 'cps-users'),
    aclFile,
    pidFile: join(folder, 'mosquitto.pid'),
    dataFile: join(folder, 'mosquitto.db'),
  };
}

/** The password that the board command has printed. */
export function passwordIn(text: string): string {
  return /(?:password +|MQTT_PASSWORD=)(\S+)/.exec(text)?.[1] ?? '';
}
