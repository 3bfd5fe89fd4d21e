import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLE = '/usr/lib/cps-bridge/bridge.mjs';

/** How the unit starts the bundle, with this machine's Node and the bundle of the last build. */
function shippedAs(unit: string): [command: string, ...args: string[]] {
  const file = join(import.meta.dirname, '../../firmware-bridge', unit);
  const [node, ...args] = /^ExecStart=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.split(' ') ?? [];
  if (node !== '/usr/lib/cps-bridge/node' || !args.includes(BUNDLE))
    throw new Error(`${unit} starts something else`);
  return [process.execPath, ...args.map((arg) => (arg === BUNDLE ? 'dist/bridge/bridge.mjs' : arg))];
}

export const shippedBridge = () => shippedAs('bridge.service');
export const shippedKeeper = () => shippedAs('keeper.service');
