import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { printable } from '#contract/printable-text';
import { withErrorPath } from '../../firmware-bridge/src/system-error.ts';
import { commandEnvSchema, parseSettings } from '../variables.ts';
import { commandEnvironment, type Operator } from '../command-environment.ts';
import type { ArchiveKeys, ArchiveEncryption } from './encryption.ts';

/** The default folder for archives. It is beside the data, so archives in it need not be encrypted. */
export const DEFAULT_ARCHIVE_FOLDER = 'backups';

const FEWEST_CHARACTERS = 12;

const atTerminal = () => (process.stdout.isTTY ? commandEnvironment().person : undefined);

export const isAtTerminal = () => atTerminal() !== undefined;

/** Whether the folder is in the data folder or in the default folder for archives. */
function isOwnPlace(folder: string): boolean {
  return [parseSettings(commandEnvSchema).DATA_DIR, DEFAULT_ARCHIVE_FOLDER].some((own) => {
    const way = relative(resolve(own), resolve(folder));
    return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
  });
}

/**
 * Chooses how a new archive is encrypted; undefined if it is not.
 * @throws Error if an archive in another place would not be encrypted and the operator has not allowed that
 */
export async function chooseArchiveEncryption(options: {
  remote: boolean;
  to: string;
  unencrypted: boolean;
}): Promise<ArchiveEncryption | undefined> {
  const { BACKUP_RECIPIENT, BACKUP_PASSPHRASE_FILE } = parseSettings(commandEnvSchema);
  if (options.unencrypted) return undefined;
  if (BACKUP_RECIPIENT.length > 0) return { recipients: BACKUP_RECIPIENT };
  if (BACKUP_PASSPHRASE_FILE !== undefined)
    return { passphrase: longEnough(passphraseIn(BACKUP_PASSPHRASE_FILE)) };
  if (!options.remote && isOwnPlace(options.to)) return undefined;
  const person = atTerminal();
  if (person) return { passphrase: await newPassphrase(person) };
  throw new Error(
    'an archive that leaves this machine is encrypted: set BACKUP_RECIPIENT or BACKUP_PASSPHRASE_FILE, or add --unencrypted',
  );
}

async function newPassphrase({ askSecret }: Operator): Promise<string> {
  const passphrase = longEnough(await askSecret('a passphrase for the archive: '));
  if ((await askSecret('the passphrase again: ')) !== passphrase)
    throw new Error('the two passphrases differ: type the same one twice');
  return passphrase;
}

function longEnough(passphrase: string): string {
  if (passphrase.length < FEWEST_CHARACTERS)
    throw new Error(`the passphrase is too short: it needs ${FEWEST_CHARACTERS} characters or more`);
  return passphrase;
}

const textIn = (file: string) => withErrorPath(file, () => readFileSync(file, 'utf8'));

function passphraseIn(file: string): string {
  const passphrase = textIn(file).trim();
  if (passphrase !== '') return passphrase;
  throw new Error(`${printable(file)} (BACKUP_PASSPHRASE_FILE) is empty: write the passphrase into it`);
}

/** Finds the keys for an encrypted archive: from the variables, or the operator types them. */
export async function findArchiveKeys(): Promise<ArchiveKeys> {
  const { BACKUP_IDENTITY_FILE, BACKUP_PASSPHRASE_FILE } = parseSettings(commandEnvSchema);
  const identities =
    BACKUP_IDENTITY_FILE === undefined
      ? []
      : (textIn(BACKUP_IDENTITY_FILE).match(/^AGE-SECRET-KEY-1\w+$/gm) ?? []);
  if (BACKUP_IDENTITY_FILE !== undefined && identities.length === 0)
    throw new Error(
      `there is no line AGE-SECRET-KEY-1… in ${printable(BACKUP_IDENTITY_FILE)} (BACKUP_IDENTITY_FILE): set it to the file that npm run backup -- new-key made`,
    );
  if (BACKUP_PASSPHRASE_FILE !== undefined)
    return { identities, passphrase: passphraseIn(BACKUP_PASSPHRASE_FILE) };
  const person = atTerminal();
  if (identities.length > 0 || !person) return { identities };
  return { passphrase: await person.askSecret('the passphrase of the archive: ') };
}

/** A function that asks the operator; undefined without a terminal. */
export const operatorPrompt = () => atTerminal()?.ask;
