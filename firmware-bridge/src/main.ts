import { VERSION } from '#contract/release';
import { visible } from '#contract/visible-text';
import { dirname } from 'node:path';
import { boardCommand } from './board-command.ts';
import {
  calledAs,
  EXIT_USAGE,
  helpText,
  noMore,
  readLine,
  wantsHelp,
  wrongUse,
  WrongUse,
} from './command-line.ts';
import { EXIT_CONFIG, readConfig, readKeeperConfig, type Config } from './config.ts';
import { deadLetterCommand } from './dead-letter-command.ts';
import { makeFolder } from './folders.ts';
import { healthCommand } from './health-command.ts';
import { startKeeper } from './keeper.ts';
import { print } from './print.ts';
import { PortTaken, runBridge } from './running.ts';
import { setupCommand } from './setup-command.ts';

function exitWithLines(lines: readonly string[], exitCode = EXIT_CONFIG): never {
  process.stderr.write(lines.map((line) => `firmware-bridge: ${visible(line)}\n`).join(''));
  process.exit(exitCode);
}

async function run(config: Config): Promise<void> {
  const bridge = await runBridge(config).catch((error: unknown) => {
    if (error instanceof PortTaken) exitWithLines([error.message]);
    throw error;
  });
  const end = (reason: string) => void bridge.stop(reason).then(() => process.exit(0));
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  // When started with an IPC channel, the bridge exits with its parent.
  if (process.connected) process.on('disconnect', () => end('parent gone'));
}

async function keep(): Promise<void> {
  const config = readKeeperConfig(process.env);
  if ('problems' in config) exitWithLines(config.problems);
  makeFolder(dirname(config.spoolFile));
  const keeper = startKeeper(config);
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => void keeper.stop().then(() => process.exit(0)));
  }
}

const HELP = {
  command: calledAs('node firmware-bridge/src/main.ts', 'cps-bridge'),
  does: "takes the boards' readings from the MQTT broker, keeps them on disk and sends them to the lab portal.",
  ways: [
    ['health', 'what the bridge that runs here says of itself, as JSON'],
    ['dead-letters list|export|replay', 'what was not understood or refused; --help behind it tells more'],
    ['board …', 'users of the broker, installed as cps-board; --help behind it tells more'],
    ['setup', 'connects this machine with the portal, installed as cps-setup; --help behind it tells more'],
    ['keep', "takes the bridge's place at the broker while it is away: keeper.service"],
    ['', 'runs the bridge: bridge.service'],
  ],
  options: { version: { type: 'boolean', tells: 'which version this is' } },
  notes: 'Its settings are variables (/etc/cps-bridge.env): docs/configuration.md#bridge',
  example: calledAs('node firmware-bridge/src/main.ts health', 'sudo cps-bridge health'),
  page: 'firmware-bridge/README.md',
} as const;

/** These read the words behind them by themselves. */
const [command, ...args] = process.argv.slice(2);
if (command === 'dead-letters') {
  process.exitCode = await deadLetterCommand(args, process.env, print);
} else if (command === 'board') {
  const { exitCode, text } = boardCommand(args, process.env);
  await print(text);
  process.exitCode = exitCode;
} else if (command === 'setup') {
  process.exitCode = await setupCommand(args, process.env);
} else if (wantsHelp(process.argv.slice(2))) {
  await print(helpText(HELP));
} else {
  try {
    const { words, values } = readLine(HELP, process.argv.slice(2));
    noMore(words.slice(1));
    await runNamed(values.version === true ? '--version' : words[0]);
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    exitWithLines(wrongUse(HELP, error.message).split('\n'), EXIT_USAGE);
  }
}

async function runNamed(name: string | undefined): Promise<void> {
  if (name === 'health') {
    const { exitCode, text } = await healthCommand(process.env);
    await print(text);
    process.exitCode = exitCode;
  } else if (name === '--version') {
    await print(VERSION);
  } else if (name === 'keep') {
    await keep();
  } else if (name === undefined) {
    const config = readConfig(process.env);
    if ('problems' in config) exitWithLines(config.problems);
    await run(config);
  } else {
    throw new WrongUse(`there is no ${visible(name)}`);
  }
}
