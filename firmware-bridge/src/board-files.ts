import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of firmware/ that a board's own are made of, by their paths; the build puts them into the bridge's file. */
declare const FIRMWARE: Record<string, string> | undefined;

export const FIRMWARE_FILES = [
  'micropython/mqtt.py',
  'micropython/kept_readings.py',
  'micropython/board.py',
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
    ? readFileSync(new URL(`../../firmware/${path}`, import.meta.url), 'utf8')
    : (FIRMWARE[path] ?? '');

export type BoardSettings = { plant: string; password: string; broker: string; port: number; ca: string };
/** A file of a board; `isSecret` when it holds the board's password. */
export type BoardFile = { path: string; text: string; isSecret: boolean };

type Kind = {
  files: (settings: BoardSettings) => BoardFile[];
  /** What is left to do. */
  next: string;
  /** What is wrong with a name that these files cannot hold. */
  refuse?: (plant: string) => string | undefined;
};

/** Sets `NAME = …`, `NAME[] = …;` or `name: …`. A JSON string is a string of Python, C++ and YAML too. */
function set(text: string, name: string, value: string | number): string {
  const line = new RegExp(`^(.*\\b${name}(?:\\[\\])?(?: =|:) )[^;\\n]*`, 'm');
  if (!line.test(text)) throw new Error(`firmware: no ${name}`);
  return text.replace(line, (_, head: string) => head + JSON.stringify(value));
}

/** Puts the certificates where the example has one, as far from the margin. */
function setCertificates(text: string, ca: string): string {
  return text.replace(/^( *)-----BEGIN[^]*END CERTIFICATE-----$/m, (_, margin: string) =>
    ca
      .split('\n')
      .map((line) => margin + line)
      .join('\n'),
  );
}

function settingsFile(path: FirmwareFile, { plant, password, broker, port, ca }: BoardSettings): string {
  let text = setCertificates(firmware(path), ca);
  text = set(text, 'PLANT', plant);
  text = set(text, 'PASSWORD', password);
  text = set(text, 'BROKER', broker);
  return set(text, 'BROKER_PORT', port);
}

const unchanged = (path: FirmwareFile, to: string): BoardFile => ({
  path: to,
  text: firmware(path),
  isSecret: false,
});

/** A name that a host in a network may have: letters, digits and dashes. */
const hostName = (plant: string) =>
  `plant-${
    plant
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 20)
      .replace(/^-|-$/g, '') || Buffer.from(plant).toString('hex').slice(0, 20)
  }`;

export const boardKinds: Record<string, Kind> = {
  micropython: {
    files: (settings) => [
      {
        path: 'settings.py',
        text: settingsFile('micropython/settings.example.py', settings),
        isSecret: true,
      },
      unchanged('micropython/mqtt.py', 'mqtt.py'),
      unchanged('micropython/kept_readings.py', 'kept_readings.py'),
      unchanged('micropython/board.py', 'board.py'),
      unchanged('micropython/main.py', 'main.py'),
    ],
    next: 'Write the Wi-Fi into settings.py, flash MicroPython, then: mpremote cp *.py : + reset',
  },
  arduino: {
    files: (settings) => [
      {
        path: 'board/settings.h',
        text: settingsFile('arduino/board/settings.example.h', settings),
        isSecret: true,
      },
      unchanged('arduino/board/kept_readings.h', 'board/kept_readings.h'),
      unchanged('arduino/board/board.ino', 'board/board.ino'),
    ],
    next: 'Write the Wi-Fi into board/settings.h, install the library "MQTT" (2.5.3), then upload board/board.ino',
  },
  esphome: {
    files: ({ plant, password, broker, port, ca }) => {
      let text = setCertificates(firmware('esphome/plant.example.yaml'), ca);
      for (const [name, value] of Object.entries({
        plant,
        node: hostName(plant),
        password,
        broker,
        broker_port: String(port),
      })) {
        text = set(text, name, value);
      }
      return [{ path: `${hostName(plant)}.yaml`, text, isSecret: true }];
    },
    next: 'Write wifi_ssid and wifi_password into secrets.yaml, then: esphome run with the file',
    // They stand in texts of C++, and `$` begins a substitution.
    refuse: (plant) =>
      /["$\\]/.test(plant) ? 'ESPHome takes no plant with ", $ or \\ in its name' : undefined,
  },
};

/**
 * Where boards find the broker: over TLS, under a name that they can reach.
 * @returns what is wrong with the variables, if something is
 */
export function brokerFor(
  address: string | undefined,
  caFile: string | undefined,
): Pick<BoardSettings, 'broker' | 'port' | 'ca'> | { problem: string } {
  if (address === undefined || !URL.canParse(address) || new URL(address).protocol !== 'mqtts:') {
    return {
      problem: 'MQTT_URL is the address by which boards reach the broker: mqtts://broker.lab.example:8883',
    };
  }
  const { hostname, port } = new URL(address);
  if (/^(localhost|127\.|\[::1\])/.test(hostname)) {
    return {
      problem: `${hostname} is this machine alone: MQTT_URL has to be an address that boards can reach`,
    };
  }
  if (caFile === undefined) {
    return { problem: "MQTT_CA_FILE is the certificate of the authority that signed the broker's" };
  }
  try {
    // A file may hold the key as well.
    const certificates =
      readFileSync(caFile, 'utf8')
        .replaceAll('\r', '')
        .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    // Refuses what is none.
    const { length } = certificates.map((pem) => new X509Certificate(pem));
    if (length === 0) return { problem: `${caFile} holds no certificate` };
    return { broker: hostname, port: port === '' ? 8883 : Number(port), ca: certificates.join('\n') };
  } catch (error) {
    return { problem: `${caFile} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * Writes the files into the folder, those with a password for their owner alone.
 * @throws Error when that cannot be done
 */
export function writeBoardFiles(folder: string, files: readonly BoardFile[]): void {
  for (const { path, text, isSecret } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, isSecret ? { mode: 0o600 } : {});
    // One that was there keeps its mode otherwise.
    if (isSecret) chmodSync(file, 0o600);
  }
}
