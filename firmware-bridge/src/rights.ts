import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from './passwords.ts';

/** The user name, and so the MQTT client id, of the bridge known to the ingest worker as `bridgeId`. */
export const bridgeUser = (bridgeId: string) => `cps-bridge-${bridgeId}`;
const BRIDGE_USERS = bridgeUser('');

export const isBridgeUser = (user: string) => user.startsWith(BRIDGE_USERS);

/** The topics that a bridge needs, and no more. */
function rightsOf(bridgeId: string): string[] {
  return [
    `user ${bridgeUser(bridgeId)}`,
    'topic read lab/plants/+/soil_moisture',
    'topic read lab/plants/+/availability',
    `topic write lab/bridges/${bridgeId}/availability`,
  ];
}

/**
 * Adds or removes the bridge's rights in Mosquitto's ACL file. Everything else in the file stays.
 * @throws Error when the file is missing or cannot be written
 */
export function setBridgeRights(file: string, bridgeId: string, granted: boolean): void {
  if (!existsSync(file)) throw new Error(`${file} is not there: copy firmware-bridge/mosquitto/acl`);
  const lines = readFileSync(file, 'utf8').split('\n');
  const begin = lines.indexOf(`user ${bridgeUser(bridgeId)}`);
  if (begin !== -1) {
    // A user's section ends at the first line that is not one of its topics.
    const length = lines.slice(begin + 1).findIndex((line) => !line.startsWith('topic '));
    lines.splice(begin, length === -1 ? lines.length : length + 1);
  }
  const others = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd();
  const own = granted ? `\n\n${rightsOf(bridgeId).join('\n')}` : '';
  replaceFile(file, `${others}${own}\n`);
}
