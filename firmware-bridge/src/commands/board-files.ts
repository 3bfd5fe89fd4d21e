import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plantTopic } from '#contract/plant-id';
import { makeFolder, replaceFiles } from '../files.ts';

/** By path: the text of each file in FIRMWARE_FILES. The build puts these texts into the bundle. */
declare const FIRMWARE: Record<string, string> | undefined;

export const FIRMWARE_FILES = [
  'micropython/mqtt.py',
  'micropython/kept_readings.py',
  'micropython/board.py',
  'micropython/sensor.py',
  'micropython/main.py',
  'micropython/settings.example.py',
  'arduino/board/board.ino',
  'arduino/board/kept_readings.h',
  'arduino/board/settings.example.h',
  'esphome/plant.example.yaml',
] as const;
type FirmwareFile = (typeof FIRMWARE_FILES)[number];

const firmware = (path: FirmwareFile): string =>
  typeof FIRMWARE === 'undefined'
    ? readFileSync(new URL(`../../../firmware/${path}`, import.meta.url), 'utf8')
    : (FIRMWARE[path] ?? '');

type BoardSettings = { plant: string; password: string; broker: string; port: number; ca: string };
/**
 * A file of a board; `isSecret` if it contains the board's password. `merged`: an existing file gets only the
 * board's new values. `kept`: an existing program differs from this version's, and stays.
 */
export type BoardFile = { path: string; text: string; isSecret: boolean; state: 'new' | 'merged' | 'kept' };

/** The text of an existing file; undefined if there is none. */
type TextOf = (path: string) => string | undefined;

type Kind = {
  /** @throws Error if an existing file cannot be changed without losing text that somebody has written */
  files: (settings: BoardSettings, textOf: TextOf) => BoardFile[];
  /** A text for the operator: what is still to do with the files. */
  next: string;
  /** Why these files cannot contain the plant's name; undefined if they can. */
  refuse?: (plant: string) => string | undefined;
};

const SUBSTITUTIONS = String.raw`(?<=^substitutions:.*\r?\n(?:(?:[ \t#].*)?\r?\n)*)`;

/** Finds `NAME = …`, `NAME[] = …;` or, below ESPHome's `substitutions:`, `name: …`, with text or number. */
const valueOf = (name: string) =>
  new RegExp(
    String.raw`^((?:const \w+ )?${name}(?:\[\])? = |${SUBSTITUTIONS}  ${name}: )("(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|\d+)(?=;|\s*$|\s+(?:#|//))`,
    'gm',
  );

/** One or more certificates, each directly below the other. */
const CERTIFICATES =
  /^( *)-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----(?:\r?\n *-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----)*/gm;

/**
 * Sets the board's own values in a file's text. The rest of the text stays.
 * @throws Error unless the text has each value exactly once
 */
function withValues(text: string, file: string, values: Record<string, string | number>, ca: string): string {
  const once = (form: RegExp, what: string) => {
    if (text.match(form)?.length === 1) return;
    throw new Error(
      `${file} must have ${what} exactly once, so it was not changed: move it away, run the command again, then copy your changes into the new file`,
    );
  };
  for (const [name, value] of Object.entries(values)) {
    once(valueOf(name), name);
    // A JSON string is valid in Python, C++ and YAML too.
    text = text.replace(valueOf(name), (_, head: string) => head + JSON.stringify(value));
  }
  once(CERTIFICATES, 'the certificate');
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  return text.replace(CERTIFICATES, (_, margin: string) =>
    ca
      .split('\n')
      .map((line) => margin + line)
      .join(newLine),
  );
}

/**
 * Makes the file with the board's own values: from the existing file, or from the example if there is none.
 * @param first values that only a new file gets
 * @throws Error if the existing file is another board's, or has been changed too much
 */
function ownFile(
  path: string,
  example: FirmwareFile,
  values: Record<string, string | number>,
  ca: string,
  textOf: TextOf,
  first: Record<string, string> = {},
): BoardFile {
  const before = textOf(path);
  if (before === undefined) {
    const text = withValues(firmware(example), example, { ...values, ...first }, ca);
    return { path, text, isSecret: true, state: 'new' };
  }
  const text = withValues(before, path, values, ca);
  const [name = '', plant] = Object.entries(values)[0] ?? [];
  const [, , written] = valueOf(name).exec(before) ?? [];
  if (written !== JSON.stringify(plant) && written !== `'${plant}'`) {
    throw new Error(`${path} belongs to the plant ${written}: choose another folder, or move it away`);
  }
  return { path, text, isSecret: true, state: 'merged' };
}

const ownValues = ({ plant, password, broker, port }: BoardSettings) => ({
  PLANT: plant,
  PASSWORD: password,
  BROKER: broker,
  BROKER_PORT: port,
});

function unchanged(path: FirmwareFile, to: string, textOf: TextOf): BoardFile {
  const text = firmware(path);
  const before = textOf(to) ?? text;
  return { path: to, text: before, isSecret: false, state: before === text ? 'new' : 'kept' };
}

const DIGEST = 10;
/** ESPHome accepts no device names longer than this. */
const NODE_MAX = 31;

/**
 * The name of the device and of its file: letters, digits and dashes, as in a host name. If the plant's name
 * is too long, has other characters or ends like a digest, the name's digest is appended. So no two plants
 * share a device.
 */
export function boardHostName(plant: string): string {
  const whole = `plant-${plant}`;
  const isDigested = new RegExp(`-[0-9a-f]{${DIGEST}}$`).test(whole);
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(whole) && whole.length <= NODE_MAX && !isDigested) return whole;
  const begin = whole
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NODE_MAX - DIGEST - 1)
    .replace(/-$/, '');
  return `${begin}-${createHash('sha256').update(plant).digest('hex').slice(0, DIGEST)}`;
}

export const boardKinds: Record<string, Kind> = {
  micropython: {
    files: (settings, textOf) => [
      ownFile('settings.py', 'micropython/settings.example.py', ownValues(settings), settings.ca, textOf),
      unchanged('micropython/mqtt.py', 'mqtt.py', textOf),
      unchanged('micropython/kept_readings.py', 'kept_readings.py', textOf),
      unchanged('micropython/board.py', 'board.py', textOf),
      unchanged('micropython/sensor.py', 'sensor.py', textOf),
      unchanged('micropython/main.py', 'main.py', textOf),
    ],
    next: "Write the Wi-Fi's name and password into settings.py, flash MicroPython, then: mpremote cp *.py : + reset",
  },
  arduino: {
    files: (settings, textOf) => [
      ownFile(
        'board/settings.h',
        'arduino/board/settings.example.h',
        ownValues(settings),
        settings.ca,
        textOf,
      ),
      unchanged('arduino/board/kept_readings.h', 'board/kept_readings.h', textOf),
      unchanged('arduino/board/board.ino', 'board/board.ino', textOf),
    ],
    next: 'Write the name and password of the Wi-Fi into board/settings.h, install the library "MQTT" (2.5.3), then upload board/board.ino',
  },
  esphome: {
    files: ({ plant, password, broker, port, ca }, textOf) => {
      const node = boardHostName(plant);
      const values = { plant, password, broker, broker_port: String(port) };
      // Only a new file gets these values: somebody may have changed the device's name in an existing file,
      // and older files write the topic wherever it is used.
      const first = { node, topic: plantTopic(plant, 'availability').replace(/\/availability$/, '') };
      return [ownFile(`${node}.yaml`, 'esphome/plant.example.yaml', values, ca, textOf, first)];
    },
    next: 'Write wifi_ssid and wifi_password into secrets.yaml, then: esphome run with the file',
    // In C++ these characters would end a text, and in ESPHome `$` begins a substitution.
    refuse: (plant) =>
      /["$\\]/.test(plant) ? 'ESPHome does not accept a plant with ", $ or \\ in its name' : undefined,
  },
};

/**
 * Where boards find the broker: over TLS, under a name that they can reach.
 * @returns the problem with the variables, if there is one
 */
export function boardBrokerAddress(
  address: string | undefined,
  caFile: string | undefined,
): Pick<BoardSettings, 'broker' | 'port' | 'ca'> | { problem: string } {
  if (address === undefined || !URL.canParse(address) || new URL(address).protocol !== 'mqtts:') {
    return {
      problem:
        'set BOARDS_MQTT_URL, or MQTT_URL, to the address by which boards reach the broker: mqtts://broker.lab.example:8883',
    };
  }
  const { hostname, port } = new URL(address);
  if (/^(localhost|127\.|\[::1\])/.test(hostname)) {
    return {
      problem: `${hostname} is only this machine: set BOARDS_MQTT_URL, or MQTT_URL, to an address that boards can reach`,
    };
  }
  if (caFile === undefined) {
    return { problem: "set MQTT_CA_FILE to the certificate of the broker's certificate authority" };
  }
  try {
    // Boards must not get the private key, which may be in the same file.
    const certificates =
      readFileSync(caFile, 'utf8')
        .replaceAll('\r', '')
        .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    // Throws on an invalid certificate.
    const { length } = certificates.map((pem) => new X509Certificate(pem));
    if (length === 0) return { problem: `${caFile} has no certificate` };
    return { broker: hostname, port: port === '' ? 8883 : Number(port), ca: certificates.join('\n') };
  } catch (error) {
    return { problem: `${caFile} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * Reads the existing files of the folder; without a folder there are none.
 * @throws Error (from the returned function) if a file is not text in UTF-8
 */
export const existingFileReader =
  (folder: string | undefined): TextOf =>
  (path) => {
    if (folder === undefined || !existsSync(join(folder, path))) return undefined;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        readFileSync(join(folder, path)),
      );
    } catch (error) {
      const reason = error instanceof TypeError ? 'is not UTF-8 text' : `cannot be read (${String(error)})`;
      throw new Error(`${path} ${reason}, so it was not changed: move it away`, { cause: error });
    }
  };

/**
 * Writes all of the files into the folder, or none. Only the owner can read files that contain a password.
 * @throws Error if a file cannot be written
 */
export function writeBoardFiles(folder: string, files: readonly BoardFile[]): void {
  const written = files.filter(({ state }) => state !== 'kept');
  for (const { path } of written) makeFolder(dirname(join(folder, path)));
  replaceFiles(
    written.map(({ path, text, isSecret }) => ({
      file: join(folder, path),
      content: text,
      mode: isSecret ? 0o600 : 0o644,
      // Without this flag an existing file would keep its permissions.
      isSecret,
    })),
  );
}
