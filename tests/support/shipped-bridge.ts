import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const UNIT = join(import.meta.dirname, '../../firmware-bridge/bridge.service');

/** How bridge.service starts the bundled bridge, with this machine's Node and the bundle of the last build. */
export function shippedBridge(): [command: string, ...args: string[]] {
  const [node, ...args] = /^ExecStart=(.+)$/m.exec(readFileSync(UNIT, 'utf8'))?.[1]?.split(' ') ?? [];
  if (node !== '/usr/bin/node' || args.at(-1) !== '/opt/cps-bridge/bridge.mjs') {
    throw new Error(`${UNIT} starts something else`);
  }
  return [process.execPath, ...args.slice(0, -1), 'dist/bridge/bridge.mjs'];
}
