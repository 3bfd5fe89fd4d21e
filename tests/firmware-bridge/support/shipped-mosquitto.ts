import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const MOSQUITTO = '/usr/sbin/mosquitto';
const OPENSSL = '/usr/bin/openssl';
export const hasMosquitto = existsSync(MOSQUITTO);
/** Mosquitto over TLS, too: it takes openssl to make a certificate. */
export const hasSecureMosquitto = hasMosquitto && existsSync(OPENSSL);

const shipped = join(import.meta.dirname, '../../../firmware-bridge/mosquitto');

export type Placed = {
  configuration: string;
  url: string;
  /** Absent without openssl. */
  tls?: { url: string; caFile: string };
  passwordFile: string;
  /** As the board command writes it. */
  usersFile: string;
  aclFile: string;
  pidFile: string;
  dataFile: string;
};

/** A key and a certificate of 127.0.0.1 that is its own authority. */
export function makeCertificate(folder: string): void {
  const made = spawnSync(
    OPENSSL,
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout server.key -out server.crt -days 2
     -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1`.split(/\s+/),
    { cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
}

const files = ['server.key', 'server.crt'] as const;
let made: string[] | undefined;

/** As makeCertificate, but the same each time: for who does not look at it. */
export function placeCertificate(folder: string): void {
  if (made === undefined) {
    makeCertificate(folder);
    made = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  } else {
    for (const [at, file] of files.entries())
      writeFileSync(join(folder, file), made[at] ?? '', { mode: 0o600 });
  }
}

/**
 * Puts the shipped configuration into the folder, as it is but for addresses and paths.
 * @param open whether everybody is let in, without a password, and may speak for every plant
 * @param inFlight how many messages it leaves unacknowledged, if not as many as it is shipped with
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
  if (hasSecureMosquitto) placeCertificate(folder);
  else text = text.replace(/^(listener .* 127\.0\.0\.1\ncertfile|keyfile|tls_version).*$/gm, '');
  const configuration = join(folder, 'mosquitto.conf');
  const passwordFile = join(folder, 'passwords');
  const aclFile = join(folder, 'acl');
  copyFileSync(join(shipped, 'acl'), aclFile);
  writeFileSync(configuration, `${text}\nuser ${process.env['USER'] ?? 'root'}\n`);
  writeFileSync(passwordFile, '');
  return {
    configuration,
    url: `mqtt://127.0.0.1:${plainPort}`,
    ...(hasSecureMosquitto
      ? { tls: { url: `mqtts://127.0.0.1:${tlsPort}`, caFile: join(folder, 'server.crt') } }
      : {}),
    passwordFile,
    usersFile: join(folder, 'cps-users'),
    aclFile,
    pidFile: join(folder, 'mosquitto.pid'),
    dataFile: join(folder, 'mosquitto.db'),
  };
}

/** The password that the board command printed. */
export function passwordIn(text: string): string {
  return /(?:password +|MQTT_PASSWORD=)(\S+)/.exec(text)?.[1] ?? '';
}
