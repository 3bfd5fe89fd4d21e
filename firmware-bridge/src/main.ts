import { DAMAGED } from '#contract/first-steps';
import { visible, visibleLines } from '#contract/visible-text';
import { bridgeCommand } from './commands/commands.ts';
import { EXIT_CONFIG, readConfig, type Config } from './config.ts';
import { print } from './commands/terminal.ts';
import { PortTaken, runBridge } from './running.ts';
import { currentInstallation } from './system-error.ts';

function exitWithLines(lines: readonly string[]): never {
  process.stderr.write(lines.map((line) => `firmware-bridge: ${visible(line)}\n`).join(''));
  process.exit(EXIT_CONFIG);
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

const asked = await bridgeCommand(process.argv.slice(2), process.env, print, (text) =>
  console.error(visibleLines(text)),
);
if (asked === 'bridge') {
  const config = readConfig(process.env);
  if ('problems' in config)
    exitWithLines([
      ...config.problems,
      ...(config.problems.some((line) => line.includes('First step: '))
        ? []
        : [`First step: ${DAMAGED.settings(currentInstallation())}`]),
    ]);
  await run(config);
} else {
  process.exitCode = asked;
}
