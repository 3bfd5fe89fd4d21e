import { VERSION } from '#contract/release';
import { printable } from '#contract/printable-text';
import { boardCommand } from './board-command.ts';
import {
  commandName,
  EXIT_USAGE,
  helpText,
  refuseExtraArguments,
  parseArguments,
  wantsHelp,
  usageErrorText,
  UsageError,
} from './command-line.ts';
import { deadLetterCommand } from './dead-letters-command.ts';
import { bridgeDoctor } from './doctor.ts';
import { requestBridgeHealth } from './setup-check.ts';
import { setupCommand } from './setup-command.ts';

type Env = Record<string, string | undefined>;
type Print = (text: string) => Promise<void>;

const HELP = {
  command: commandName('node firmware-bridge/src/main.ts', 'cps-bridge'),
  does: "receives the boards' readings from the MQTT broker, stores them on disk and sends them to the lab portal.",
  ways: [
    ['health', 'prints the state of the bridge that runs here, as JSON'],
    ['doctor', 'checks each part, and prints a first step for each red part; then exits with 1'],
    ['dead-letters list|export|replay', 'messages not understood or refused; add --help for more'],
    ['board …', 'users of the broker, installed as cps-board; add --help for more'],
    ['setup', 'connects this machine to the portal, installed as cps-setup; add --help for more'],
    ['', 'runs the bridge: bridge.service'],
  ],
  options: { version: { type: 'boolean', tells: 'prints the version' } },
  notes: 'Its settings are variables (/etc/cps-bridge.env): docs/configuration.md#bridge',
  example: commandName('node firmware-bridge/src/main.ts health', 'sudo cps-bridge health'),
  page: 'firmware-bridge/README.md',
} as const;

/**
 * Runs the command that the arguments name. It does not start the bridge itself.
 * @param printError prints errors, because the other output may go into a file
 * @returns the exit status, or `bridge` if the caller must start the bridge
 */
export async function bridgeCommand(
  args: readonly string[],
  env: Env,
  print: Print,
  printError: (text: string) => void,
): Promise<number | 'bridge'> {
  // These commands parse their own arguments.
  const [name, ...rest] = args;
  if (name === 'dead-letters') return await deadLetterCommand(rest, env, print, printError);
  if (name === 'board') {
    const done = boardCommand(rest, env);
    return await told(done, done.exitCode === 0 ? print : async (text) => printError(text));
  }
  if (name === 'setup') return await setupCommand(rest, env);
  if (wantsHelp(args)) return await told({ exitCode: 0, text: helpText(HELP) }, print);
  try {
    const { words, values } = parseArguments(HELP, args);
    refuseExtraArguments(words.slice(1));
    if (values.version === true) return await told({ exitCode: 0, text: VERSION }, print);
    const [part] = words;
    if (part === undefined) return 'bridge';
    if (part === 'health') return await told(await requestBridgeHealth(env), print);
    if (part === 'doctor') return await told(await bridgeDoctor(env), print);
    throw new UsageError(`there is no command ${printable(part)}`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printError(usageErrorText(HELP, error.message));
    return EXIT_USAGE;
  }
}

async function told({ exitCode, text }: { exitCode: number; text: string }, print: Print): Promise<number> {
  await print(text);
  return exitCode;
}
