import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLE = '/usr/lib/cps-bridge/bridge.mjs';

/** The command of bridge.service, but with this machine's Node and the bundle of the last build. */
export function shippedBridge(): [command: string, ...args: string[]] {
  const file = join(import.meta.dirname, '../../firmware-bridge/bridge.service');
  const [node, ...args] = /^ExecStart=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.split(' ') ?? [];
  if (node !== '/usr/lib/cps-bridge/node' || !args.includes(BUNDLE))
    throw new Error('bridge.service starts something else');
  return [process.execPath, ...args.map((arg) => (arg === BUNDLE ? 'dist/bridge/bridge.mjs' : arg))];
}
