import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import { errorText, log } from '../log.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Follows the list of users that `board` writes beside the broker's password file.
 * @param changed gets the users at once and with every change; null while there is no such file
 */
export function watchBrokerUsers(
  file: string,
  changed: (users: ReadonlySet<string> | null) => void,
): { stop: () => void } {
  function read(): void {
    try {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : null;
      changed(lines && new Set(lines.filter((line) => line !== '')));
    } catch (error) {
      log('warn', 'users_not_readable', { reason: errorText(error) });
      changed(null);
    }
  }
  // Polls, because the file is replaced as a whole, which would end a watch of the file itself.
  watchFile(file, { persistent: false, interval: LOOK_EVERY_MS }, read);
  read();
  return { stop: () => unwatchFile(file, read) };
}
