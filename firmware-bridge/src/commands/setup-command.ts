import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import { printable } from '#contract/printable-text';
import { boardCommand } from './board-command.ts';
import {
  EXIT_USAGE,
  helpText,
  refuseExtraArguments,
  parseArguments,
  wantsHelp,
  usageErrorText,
  UsageError,
  type ParsedArgs,
} from './command-line.ts';
import { bridgeUser, bridgeEnvSchema, mosquittoEnvSchema } from '../config.ts';
import { changeFile } from '../files.ts';
import { askAtTerminal, print } from './terminal.ts';
import { bridgeAclTopics, isPasswordOf, setUserAclTopics } from './mosquitto-users.ts';
import { requestBridgeHealth, signatureRefusal } from './setup-check.ts';
import { explainError } from '../system-error.ts';

const CA = '/etc/cps-bridge/ca.crt';
const SPOOL = '/var/lib/cps-bridge/spool.sqlite';
const CERTIFICATES = '/usr/lib/cps-bridge/certificates';

/** The bridge is asked for its state so many times, with this pause in milliseconds between. */
const TRIES = 40;
const PAUSE_MS = 500;

const HELP = {
  command: 'cps-setup',
  does: 'connects this machine to the lab portal: asks for missing values, checks them, then starts broker and bridge.',
  ways: [
    ['', 'asks for every value, with the present value in brackets'],
    ['[--bridge-id <name>] [--ingest-url <url>] [--broker-name <name>] [--unchecked]', 'asks for the rest'],
  ],
  options: {
    'bridge-id': { type: 'string', takes: '<name>', tells: 'the name of this bridge (BRIDGE_ID)' },
    'ingest-url': { type: 'string', takes: '<url>', tells: 'the address of the ingest worker (INGEST_URL)' },
    'broker-name': { type: 'string', takes: '<name>', tells: 'name or IPv4 address that boards connect to' },
    unchecked: { type: 'boolean', tells: 'skips the check of the ingest worker (no network)' },
  },
  notes: `The environment may also give BRIDGE_ID, BRIDGE_KEY and INGEST_URL. The key can be given only there or at the terminal.
If you run the command again, it changes the given values and keeps the others.`,
  example: 'sudo cps-setup',
  page: 'firmware-bridge/README.md#on-a-raspberry-pi',
} as const;

type Env = Record<string, string | undefined>;

const QUESTIONS = [
  ['INGEST_URL', 'Address of the ingest worker (npm run deploy prints it)'],
  ['BRIDGE_ID', 'Name of this bridge (BRIDGE_ID)'],
  ['BRIDGE_KEY', 'Its key, which stays hidden (BRIDGE_KEY; npm run bridge -- key add <name> --remote)'],
  ['BROKER_NAME', 'Name or address that boards use for this machine'],
] as const;
type Answers = Record<(typeof QUESTIONS)[number][0], string>;

const schemas = {
  INGEST_URL: bridgeEnvSchema.shape.INGEST_URL,
  BRIDGE_ID: bridgeEnvSchema.shape.BRIDGE_ID,
  BRIDGE_KEY: bridgeEnvSchema.shape.BRIDGE_KEY,
};

/** Without quotes, systemd and Node read a value with only these characters in the same way. */
const PLAIN = /^[\w.:/@+=~-]+$/;

/** Whether a value is a host name or IPv4 address, as a certificate needs (see debian/certificates). */
export function isBrokerHostName(value: string): boolean {
  const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
  if (/^[\d.]*$/.test(value)) return isIPv4(value);
  return value.length <= 253 && new RegExp(`^${label}(\\.${label})*$`).test(value);
}

/** Whether the value looks like a key by `npm run bridge -- key` or openssl. No bridge's name does. */
const isKey = (value: string) => /^(?=.*[A-Z])(?=.*[a-z])[\w-]{43}$|^[0-9a-f]{64}$/.test(value);

/** The problem with an answer; undefined if the answer is correct. */
export function answerProblem(name: keyof Answers, value: string): string | undefined {
  if (name === 'BROKER_NAME')
    return isBrokerHostName(value) ? undefined : 'must be a host name or an IPv4 address';
  if (name === 'BRIDGE_ID' && isKey(value))
    return 'looks like a key: give the name first, as in npm run bridge -- key add <name>, then the key';
  if (!PLAIN.test(value)) return 'may have only letters, digits and . : / @ + = ~ _ -';
  return schemas[name].safeParse(value).error?.issues[0]?.message;
}

/** Asks for missing values at a terminal. Without a terminal, returns a problem for each missing value. */
async function answersFrom(given: Env, known: Env): Promise<Answers | { problems: string[] }> {
  const answers: Answers = { INGEST_URL: '', BRIDGE_ID: '', BRIDGE_KEY: '', BROKER_NAME: '' };
  const problems: string[] = [];
  for (const [name, question] of QUESTIONS) {
    const before = known[name];
    let value = given[name] ?? (process.stdin.isTTY ? undefined : before);
    while (value === undefined && process.stdin.isTTY) {
      const isSecret = name === 'BRIDGE_KEY';
      const shown = before === undefined ? '' : ` [${isSecret ? 'as before' : before}]`;
      const typed = (await askAtTerminal(`${question}${shown}: `, isSecret)) || (before ?? '');
      const problem = answerProblem(name, typed);
      if (problem === undefined) value = typed;
      else await print(`  ${problem}`);
    }
    const problem = value === undefined ? 'is missing' : answerProblem(name, value);
    if (problem !== undefined) problems.push(`${name} ${problem}`);
    answers[name] = value ?? '';
  }
  return problems.length > 0 ? { problems } : answers;
}

/** The password of the bridge's user at the broker: the existing password, or a new one. */
function passwordFor(bridgeId: string, env: Env): { password: string } | { problem: string } {
  const { MQTT_PASSWORD: password } = env;
  const { MOSQUITTO_PASSWORD_FILE: file, MOSQUITTO_ACL_FILE: aclFile } = mosquittoEnvSchema.parse(env);
  if (password !== undefined && isPasswordOf(file, bridgeUser(bridgeId), password)) {
    // Sets the rights again too: perhaps only the ACL file was lost, and the password still exists.
    setUserAclTopics(aclFile, bridgeUser(bridgeId), bridgeAclTopics(bridgeId));
    return { password };
  }
  const { text } = boardCommand(['bridge', bridgeId], env);
  const [, fresh] = /^MQTT_PASSWORD=(.+)$/m.exec(text) ?? [];
  return fresh === undefined ? { problem: text } : { password: fresh };
}

/** The text of the settings file with these values; its other lines stay. */
export function replaceSettings(before: string, values: Record<string, string>): string {
  const names = Object.keys(values);
  const others = before
    .split('\n')
    .filter((line) => line !== '' && !names.some((name) => line.startsWith(`${name}=`)));
  return [...others, ...Object.entries(values).map(([name, value]) => `${name}=${value}`), ''].join('\n');
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** Sets up this machine after the package was installed. Returns the exit code. */
export async function setupCommand(args: readonly string[], env: Env): Promise<number> {
  if (wantsHelp(args)) {
    await print(helpText(HELP));
    return 0;
  }
  try {
    const { words, values } = parseArguments(HELP, args);
    refuseExtraArguments(words);
    return await setUp(values, env);
  } catch (error) {
    const isWrong = error instanceof UsageError;
    if (!isWrong && !(error instanceof Error && 'syscall' in error)) throw error;
    await print(isWrong ? usageErrorText(HELP, error.message) : explainError(error));
    return isWrong ? EXIT_USAGE : 73;
  }
}

async function setUp(options: ParsedArgs<typeof HELP.options>['values'], env: Env): Promise<number> {
  if (process.getuid?.() !== 0) {
    await print('cps-setup needs root: sudo cps-setup');
    return 77;
  }
  const boards = env['BOARDS_MQTT_URL'];
  const known = { ...env, BROKER_NAME: brokerNameIn(boards) };
  const given: Env = {
    INGEST_URL: options['ingest-url'],
    BRIDGE_ID: options['bridge-id'],
    BROKER_NAME: options['broker-name'],
  };
  const answers = await answersFrom(given, known);
  if ('problems' in answers) {
    await print([...answers.problems, 'cps-setup --help explains it'].join('\n'));
    return 78;
  }
  if (options.unchecked !== true) {
    const refusal = await signatureRefusal(answers);
    if (refusal !== null) {
      await print(
        `${printable(answers.INGEST_URL)} does not accept this bridge: ${refusal}\nNothing was changed.`,
      );
      return 1;
    }
    await print(`${answers.INGEST_URL} accepts this bridge.`);
  }
  const found = passwordFor(answers.BRIDGE_ID, env);
  if ('problem' in found) {
    await print(found.problem);
    return 78;
  }
  const settings = {
    MQTT_URL: env['MQTT_URL'] ?? 'mqtts://127.0.0.1:8883',
    MQTT_CA_FILE: env['MQTT_CA_FILE'] ?? CA,
    MQTT_PASSWORD: found.password,
    BOARDS_MQTT_URL: `mqtts://${answers.BROKER_NAME}:8883`,
    BRIDGE_ID: answers.BRIDGE_ID,
    BRIDGE_KEY: answers.BRIDGE_KEY,
    INGEST_URL: answers.INGEST_URL,
    SPOOL_FILE: SPOOL,
  };
  const file = mosquittoEnvSchema.parse(env).CPS_SETTINGS_FILE;
  if (!run(CERTIFICATES, 'renew', '--if-due', '--name', answers.BROKER_NAME)) return 1;
  changeFile(file, (before = '') => replaceSettings(before, settings));
  await print(brokerAddressNote(answers.BROKER_NAME));
  if (!existsSync('/run/systemd/system')) {
    await print('Set up. Now restart the broker and the bridge.');
    return 0;
  }
  if (!run('systemctl', 'restart', 'mosquitto', 'bridge')) return 1;
  const { exitCode, text } = await healthBeforeLong(env);
  await print(
    exitCode === 0
      ? 'Set up, and the bridge is connected. To add a board: cps-board add <plant> --for micropython --to <folder>'
      : `Set up, but there are problems. \`cps-bridge health\` reports:\n${text}`,
  );
  return exitCode;
}

/** Tells the operator which name boards connect to, because the name may be the default. */
export function brokerAddressNote(name: string): string {
  const doubt = name.endsWith('.local') ? ' Some boards cannot find names that end in .local.' : '';
  return `Boards connect to ${name}, port 8883.${doubt} To choose another name or address: cps-setup --broker-name <name>`;
}

/** Waits until the bridge has subscribed: a reading that a board sends earlier would be lost. */
async function healthBeforeLong(env: Env): Promise<{ exitCode: number; text: string }> {
  for (let left = TRIES; ; left -= 1) {
    const health = await requestBridgeHealth(env);
    if (health.exitCode === 0 || left === 0) return health;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The host name in the address that boards use; the name of this machine if no address is set. */
function brokerNameIn(url: string | undefined): string {
  if (url !== undefined && URL.canParse(url)) return new URL(url).hostname;
  const name = hostname();
  return name.includes('.') ? name : `${name}.local`;
}
