import { REPAIR_STEPS } from '#contract/first-steps';
import { printable, printableLines } from '#contract/printable-text';
import { bridgeCommand } from './commands/commands.ts';
import { EXIT_CONFIG, readConfig, type Config } from './config.ts';
import { print } from './commands/terminal.ts';
import { PortTakenError, runBridge } from './run-bridge.ts';
import { currentInstallation } from './system-error.ts';

function exitWithLines(lines: readonly string[]): never {
  process.stderr.write(lines.map((line) => `firmware-bridge: ${printable(line)}\n`).join(''));
  process.exit(EXIT_CONFIG);
}

async function run(config: Config): Promise<void> {
  const bridge = await runBridge(config).catch((error: unknown) => {
    if (error instanceof PortTakenError) exitWithLines([error.message]);
    throw error;
  });
  const end = (reason: string) => void bridge.stop(reason).then(() => process.exit(0));
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  // If a parent has started the bridge with an IPC channel, the bridge exits when the parent does.
  if (process.connected) process.on('disconnect', () => end('parent gone'));
}

const asked = await bridgeCommand(process.argv.slice(2), process.env, print, (text) =>
  console.error(printableLines(text)),
);
if (asked === 'bridge') {
  const config = readConfig(process.env);
  if ('problems' in config)
    exitWithLines([
      ...config.problems,
      ...(config.problems.some((line) => line.includes('First step: '))
        ? []
        : [`First step: ${REPAIR_STEPS.settings(currentInstallation())}`]),
    ]);
  await run(config);
} else {
  process.exitCode = asked;
}
