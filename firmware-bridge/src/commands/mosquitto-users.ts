import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { PASSWORD_HASH_ROUNDS, mosquittoPasswordEntry } from '#contract/bridges';
import { REPAIR_STEPS } from '#contract/first-steps';
import { plantTopic, TOPIC_SUBJECTS } from '#contract/plant-id';
import { bridgeUser } from '../config.ts';
import { changeFile } from '../files.ts';
import { currentInstallation } from '../system-error.ts';
import { DISCOVERY_TOPIC_FILTER } from '../home-assistant/device.ts';

/* Reads and changes Mosquitto's users, in its password file and its ACL file. */

export function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}

function hashed(password: string, salt = randomBytes(12)): string {
  const hash = pbkdf2Sync(password, salt, PASSWORD_HASH_ROUNDS, 64, 'sha512');
  return mosquittoPasswordEntry(salt.toString('base64'), hash.toString('base64'));
}

const linesIn = (text = '') => text.split('\n').filter((line) => line !== '');
const linesOf = (file: string) => (existsSync(file) ? linesIn(readFileSync(file, 'utf8')) : []);

const userOf = (line: string) => line.slice(0, line.lastIndexOf(':'));

/** The users in Mosquitto's password file, in order; empty if there is no file. */
export function mosquittoUsersIn(file: string): string[] {
  return linesOf(file).map(userOf);
}

/** Whether this is the user's password, as written by `setMosquittoPassword`. */
export function isPasswordOf(file: string, user: string, password: string): boolean {
  const line = linesOf(file).find((each) => userOf(each) === user) ?? '';
  const salt = Buffer.from(line.split('$')[3] ?? '', 'base64');
  return line === `${user}:${hashed(password, salt)}`;
}

/**
 * Sets the user's password. If `password` is null, removes the user.
 * @throws Error if the file cannot be written
 */
export function setMosquittoPassword(file: string, user: string, password: string | null): void {
  setMosquittoPasswordEntry(file, user, password === null ? null : hashed(password));
}

/** Like `setMosquittoPassword`, but takes the entry that `mosquittoPasswordEntry` of the contract makes. */
export function setMosquittoPasswordEntry(file: string, user: string, entry: string | null): void {
  const own = entry === null ? [] : [`${user}:${entry}`];
  changeFile(file, (before) => {
    const others = linesIn(before).filter((line) => userOf(line) !== user);
    return [...others, ...own].map((line) => `${line}\n`).join('');
  });
}

const BRIDGE_USERS = bridgeUser('');

const isBridgeUser = (user: string) => user.startsWith(BRIDGE_USERS);

export const HOME_ASSISTANT_USER = 'cps-home-assistant';

/** Whether the user is a service and not a board. */
export const isServiceUser = (user: string) => isBridgeUser(user) || user === HOME_ASSISTANT_USER;

/** The topics to which a board may publish. In Mosquitto's ACL file they are patterns. */
export const boardTopics = (plant: string) => TOPIC_SUBJECTS.map((subject) => plantTopic(plant, subject));

/** ACL lines that let a user read the messages of all boards. */
const hearing = TOPIC_SUBJECTS.map((subject) => `topic read ${plantTopic('+', subject)}`);

/** The only rights of a bridge. It reads its own topic to know when it has read all earlier messages. */
export const bridgeAclTopics = (bridgeId: string) => [
  ...hearing,
  `topic readwrite lab/bridges/${bridgeId}/availability`,
  `topic readwrite ${DISCOVERY_TOPIC_FILTER}`,
];

/** Home Assistant also publishes: if somebody deletes a board there, it removes the board's topic. */
export const homeAssistantAclTopics = [...hearing, 'topic readwrite homeassistant/#'];

/** Where a user's section begins, and its topics. The section ends at the first line that is not a topic. */
function sectionIn(lines: readonly string[], user: string): { begin: number; topics: string[] } | undefined {
  const begin = lines.indexOf(`user ${user}`);
  if (begin === -1) return undefined;
  const after = lines.slice(begin + 1);
  const end = after.findIndex((line) => !line.startsWith('topic '));
  return { begin, topics: end === -1 ? after : after.slice(0, end) };
}

/** The user's topics in the text of an ACL file; undefined if the user has no section. */
export const userAclTopics = (text: string, user: string) => sectionIn(text.split('\n'), user)?.topics;

/**
 * Sets the user's topics in Mosquitto's ACL file. If `topics` is null, removes the user. The rest of the file
 * stays unchanged.
 * @throws Error if the file is missing or cannot be written
 */
export function setUserAclTopics(file: string, user: string, topics: readonly string[] | null): void {
  const own = topics === null ? '' : `\n\n${[`user ${user}`, ...topics].join('\n')}`;
  changeFile(file, (text) => {
    if (text === undefined)
      throw new Error(
        `${file} does not exist. First step: ${REPAIR_STEPS.rights(file, currentInstallation())}`,
      );
    const lines = text.split('\n');
    const before = sectionIn(lines, user);
    if (before) lines.splice(before.begin, 1 + before.topics.length);
    const others = lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trimEnd();
    return `${others}${own}\n`;
  });
}
