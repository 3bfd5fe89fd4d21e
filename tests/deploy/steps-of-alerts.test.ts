import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { alertList } from '#contract/alert-list';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const page = readFileSync('firmware-bridge/debian/man/cps-bridge.8', 'utf8').replaceAll('\\', '');

/** What Debian has on every machine, by which somebody looks, and what each may be asked. */
const LOOKS =
  /^(df -h( \/var\/lib\/cps-bridge)?|dmesg|date|systemctl (status|stop|start) (bridge|mosquitto)|journalctl (-u bridge|--vacuum-size=100M))$/;

/** In a Korean sentence. */
const TYPED =
  /(sudo )?(npm run [a-z-]+( -- [a-z]+)?|cps-bridge [a-z-]+( (renew|list))?|(systemctl|journalctl|df) [a-z -]*[a-z])/g;

function isThere(command: string): boolean {
  const words = command.replace(/^sudo /, '').split(' ');
  if (words[0] === 'npm') return scripts[words[2] ?? ''] !== undefined;
  if (words[0] === 'cps-bridge') return words.slice(1).every((word) => page.includes(word));
  return LOOKS.test(words.join(' '));
}

test('OPS-14 every command in a first step of an alert is there, on the machine where it is to be typed', () => {
  const first = Object.values(alertList).map(({ page }) => page.first);
  const steps = Object.values(alertList).map(({ step }) => step);
  const commands = [
    ...first.flatMap((text) =>
      [...text.matchAll(/`([a-z][^`]* [^`]*|dmesg|date)`/g)].map(([, each = '']) => each),
    ),
    ...steps.flatMap((text) => text.match(TYPED) ?? []),
  ];
  expect(commands.length).toBeGreaterThan(25);
  expect(commands.filter((command) => !isThere(command))).toEqual([]);
  // What a bridge has is on its own machine, where npm is not.
  const ofBridges = Object.entries(alertList).filter(([kind]) =>
    /^(spool|dead_letters|disk|certificate|broker|bridge)/.test(kind),
  );
  expect(ofBridges.filter(([, { step }]) => step.includes('npm run'))).toEqual([]);
});

test.each(['bridge', 'broker', 'certificate'] as const)(
  'OPS-14 the alert of what a wrong clock also brings about over TLS (%s) names the clock',
  (kind) => {
    expect(alertList[kind].step).toContain('시계(date)');
    expect(alertList[kind].page.first).toContain('clock');
    expect(alertList[kind].page.first).toContain('`date`');
  },
);
