import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  bridgeIdSchema,
  PASSWORD_PLACEHOLDER,
  type BoardTask,
  type BridgeTaskResult,
} from '#contract/bridges';
import { normalizePlantName, plantIdSchema, plantTopic } from '#contract/plant-id';
import { printable } from '#contract/printable-text';
import {
  boardKinds,
  boardBrokerAddress,
  existingFileReader,
  writeBoardFiles,
  type BoardFile,
} from './board-files.ts';
import {
  commandName,
  EXIT_USAGE,
  helpText,
  refuseExtraArguments,
  parseArguments,
  wantsHelp,
  usageErrorText,
  UsageError,
  type ParsedArgs,
} from './command-line.ts';
import { bridgeUser, mosquittoEnvSchema } from '../config.ts';
import { changeFile } from '../files.ts';
import { runAsOwner } from '../folder-owner.ts';
import { explainError } from '../system-error.ts';
import { runBoardRequest } from './board-request.ts';
import {
  bridgeAclTopics,
  HOME_ASSISTANT_USER,
  homeAssistantAclTopics,
  isServiceUser,
  randomPassword,
  setMosquittoPasswordEntry,
  setMosquittoPassword,
  setUserAclTopics,
  mosquittoUsersIn,
} from './mosquitto-users.ts';

const HELP = {
  command: commandName('npm run board --', 'cps-board'),
  does: "creates and revokes the broker's users for boards, bridges and Home Assistant.",
  ways: [
    ['add <plant>', "gives the plant's board a new password, and prints it once"],
    [
      'add <plant> --for <kind> [--to <folder>]',
      'also makes its program: prints its settings, or writes all files',
    ],
    ['revoke <plant>', "removes the board's password; the board is disconnected"],
    ['list', 'lists the boards with a password'],
    ['bridge <BRIDGE_ID>', 'creates a user with rights for a bridge'],
    ['revoke-bridge <BRIDGE_ID>', "removes the bridge's user and rights"],
    ['home-assistant', 'creates a user with rights for Home Assistant'],
    ['revoke-home-assistant', "removes Home Assistant's user and rights"],
    ['order', 'carries out requests of the portal, as root: for cps-board-order.service'],
  ],
  options: {
    for: {
      type: 'string',
      takes: '<kind>',
      tells: `what the board runs: ${Object.keys(boardKinds).join(', ')}`,
    },
    to: {
      type: 'string',
      takes: '<folder>',
      tells: "folder for the program's files; existing files are kept",
    },
  },
  notes: `The command changes MOSQUITTO_PASSWORD_FILE (/etc/mosquitto/cps-passwords) and cps-users beside it, where bridges read who has a
password; for a bridge or Home Assistant also MOSQUITTO_ACL_FILE (/etc/mosquitto/cps-acl). The broker of
MOSQUITTO_PID_FILE (/run/mosquitto/mosquitto.pid) reads them again. A board's program gets the broker's address from
BOARDS_MQTT_URL, or without it from MQTT_URL, and its certificate from MQTT_CA_FILE, as the bridge does.
Write a plant's name that begins with a dash after --.`,
  example: `${commandName('npm run board --', 'sudo cps-board')} add fern --for micropython --to fern`,
  page: 'firmware/README.md',
} as const;

type Env = Record<string, string | undefined>;
type Outcome = { exitCode: number; text: string };

/** Writes the users who have a password into a file for bridges, which may not read the password file. */
function listUsers(env: Env): string {
  const variables = mosquittoEnvSchema.parse(env);
  const passwords = variables.MOSQUITTO_PASSWORD_FILE;
  const file = variables.MOSQUITTO_USERS_FILE ?? join(dirname(passwords), 'cps-users');
  try {
    const users = () => mosquittoUsersIn(passwords).map((user) => `${user}\n`);
    // Reads the users under the lock: if several commands run at once, the last one lists all users.
    changeFile(file, () => users().join(''), 0o644);
    return '';
  } catch (error) {
    return ` The list for bridges could not be written (${printable(explainError(error))}).`;
  }
}

/** Makes the broker reload its files, and updates the bridges' list of users; returns the result. */
function reload(env: Env): string {
  return reloadBroker(env) + listUsers(env);
}

function reloadBroker(env: Env): string {
  const file = mosquittoEnvSchema.parse(env).MOSQUITTO_PID_FILE;
  if (!existsSync(file))
    return `The broker was not reloaded: ${printable(file)} is missing, so no broker runs here. Once it runs: systemctl reload mosquitto.`;
  try {
    const pid = readFileSync(file, 'utf8').trim();
    // In `kill`, 0 and negative numbers mean process groups, or all processes.
    if (!/^[1-9][0-9]*$/.test(pid)) throw new Error(`${file} has no process number`);
    // The number may now belong to another program, or the broker's user may have written a false number.
    if (existsSync('/proc/self') && commandOf(pid) !== 'mosquitto')
      throw new Error(`the process in ${file} is not mosquitto`);
    process.kill(Number(pid), 'SIGHUP');
    return 'The broker was told to reload.';
  } catch (error) {
    return `The broker was not reloaded (${printable(explainError(error))}): run systemctl reload mosquitto.`;
  }
}

function commandOf(pid: string): string | undefined {
  const file = `/proc/${pid}/comm`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Names of plants that Mosquitto does not accept as user names, and why. */
const NOT_SERVED: [RegExp, string][] = [
  [/^\s|\s$/, 'begins or ends with a space, which the broker removes: leave it out'],
  [/:/, "has a colon, which ends the name in the broker's password file: leave it out"],
  [/\p{Noncharacter_Code_Point}/u, 'has a code that is not a Unicode character: leave it out'],
];

/** The board's user name for a plant, or the problem with it. Two boards' names must not look the same. */
export function boardUserFor(plant = '', isNew: boolean): { user: string } | { problem: string } {
  const parsed = plantIdSchema.safeParse(plant);
  const clean = normalizePlantName(plant);
  let reason = isNew && clean !== plant ? `looks like another name: give it as "${clean}"` : undefined;
  reason = NOT_SERVED.find(([form]) => form.test(plant))?.[1] ?? reason;
  if (isServiceUser(plant)) reason = 'is the user name of a bridge or of Home Assistant';
  if (!parsed.success) reason = `is not a plant's name: ${parsed.error.issues[0]?.message ?? ''}`;
  return reason === undefined ? { user: plant } : { problem: `"${printable(plant)}" ${reason}` };
}

function revokedService(user: string, env: Env): Outcome {
  const { MOSQUITTO_PASSWORD_FILE: file, MOSQUITTO_ACL_FILE: aclFile } = mosquittoEnvSchema.parse(env);
  return withRights(aclFile, user, null) ?? revoked(file, user, env);
}

/** Sets a user's topics, or removes the user if `topics` is null. Returns the error, if there is one. */
function withRights(aclFile: string, user: string, topics: readonly string[] | null): Outcome | undefined {
  try {
    setUserAclTopics(aclFile, user, topics);
    return undefined;
  } catch (error) {
    return { exitCode: 78, text: printable(explainError(error)) };
  }
}

function revoked(file: string, user: string, env: Env): Outcome {
  if (!mosquittoUsersIn(file).includes(user)) {
    // The caller has already removed the service's rights, so the broker must reload.
    const told = isServiceUser(user) ? `. ${reload(env)}` : '';
    return { exitCode: 1, text: `${printable(user)} has no password${told}` };
  }
  setMosquittoPassword(file, user, null);
  return { exitCode: 0, text: `${printable(user)} has lost its password. ${reload(env)}` };
}

type Service = { user: string; rights: readonly string[] };

function setService({ user, rights }: Service, env: Env): Outcome {
  const { MOSQUITTO_PASSWORD_FILE: file, MOSQUITTO_ACL_FILE: aclFile } = mosquittoEnvSchema.parse(env);
  const problem = withRights(aclFile, user, rights);
  if (problem !== undefined) return problem;
  const password = randomPassword();
  setMosquittoPassword(file, user, password);
  // An operator may append the output to a settings file, so the other lines are comments.
  return { exitCode: 0, text: `# user ${user}\nMQTT_PASSWORD=${password}\n# ${reload(env)}` };
}

type Program = { kind?: string; folder?: string };

function added(user: string, { kind, folder }: Program, env: Env): Outcome {
  const { MOSQUITTO_PASSWORD_FILE: file } = mosquittoEnvSchema.parse(env);
  const password = randomPassword();
  if (kind !== undefined) return addedWithProgram(user, password, kind, folder, env);
  setMosquittoPassword(file, user, password);
  const lines = [
    `user       ${printable(user)}`,
    `password   ${password}`,
    `client id  ${printable(user)}: the broker uses the user name as client id, so only one connection at a time`,
    `readings   ${printable(plantTopic(user, 'soil_moisture'))}, QoS 1`,
    `state      ${printable(plantTopic(user, 'availability'))}, retained: online; as last will: offline`,
    '',
    `The password is not stored anywhere: write it down now. ${reload(env)}`,
  ];
  return { exitCode: 0, text: lines.join('\n') };
}

/** Lines for the operator about files that existed: which of them were changed, and which were not. */
function keptIn(files: readonly BoardFile[]): string[] {
  const named = (state: BoardFile['state']) =>
    files.filter((file) => file.state === state).map(({ path }) => path);
  return [
    ...named('merged').map((path) => `${path} existed: only the board's own values were changed in it.`),
    ...named('kept').map((path) => `${path} existed and differs from this version's: it was not changed.`),
    ...(named('kept').length > 0
      ? ['To get the file of this version, move your file away and run the command again.']
      : []),
  ];
}

/** Makes the text of the board's files but does not write them. Returns an error if there can be no files. */
function programOf(
  user: string,
  password: string,
  kindName: string,
  folder: string | undefined,
  env: Env,
): { files: BoardFile[]; next: string } | Outcome {
  const kind = boardKinds[kindName];
  if (kind === undefined)
    throw new UsageError(`--for ${printable(kindName)} must be one of ${Object.keys(boardKinds).join(', ')}`);
  const problem = kind.refuse?.(user);
  if (problem !== undefined) return { exitCode: 64, text: problem };
  const broker = boardBrokerAddress(env['BOARDS_MQTT_URL'] ?? env['MQTT_URL'], env['MQTT_CA_FILE']);
  if ('problem' in broker) return { exitCode: 78, text: printable(broker.problem) };
  try {
    const files = runAsOwner(folder ?? '.', () =>
      kind.files({ plant: user, password, ...broker }, existingFileReader(folder)),
    );
    return { files, next: kind.next };
  } catch (error) {
    return { exitCode: 73, text: printable(explainError(error)) };
  }
}

/** Writes the files first: if they cannot be written, the password stays and the board still works. */
function addedWithProgram(
  user: string,
  password: string,
  kindName: string,
  folder: string | undefined,
  env: Env,
): Outcome {
  const program = programOf(user, password, kindName, folder, env);
  if (!('files' in program)) return program;
  const { files, next } = program;
  try {
    if (folder !== undefined) writeBoardFiles(folder, files);
  } catch (error) {
    return { exitCode: 73, text: printable(explainError(error)) };
  }
  setMosquittoPassword(mosquittoEnvSchema.parse(env).MOSQUITTO_PASSWORD_FILE, user, password);
  const shown =
    folder === undefined
      ? files.filter(({ isSecret }) => isSecret).map(({ path, text }) => `# ${path}\n\n${text}`)
      : [`in ${printable(folder)}: ${files.map(({ path }) => path).join(', ')}\n`, ...keptIn(files)];
  return { exitCode: 0, text: [...shown, next, reload(env)].join('\n') };
}

/** Does `add` and `revoke` for the portal, which sends the password's hash; the files get a placeholder. */
export function runBoardTask(task: BoardTask, env: Env): BridgeTaskResult {
  try {
    const found = boardUserFor(task.plant, task.kind === 'board_add');
    if ('problem' in found) return { ok: false, text: found.problem };
    const file = mosquittoEnvSchema.parse(env).MOSQUITTO_PASSWORD_FILE;
    if (task.kind === 'board_revoke') {
      const { exitCode, text } = revoked(file, found.user, env);
      return { ok: exitCode === 0, text };
    }
    const program = programOf(found.user, PASSWORD_PLACEHOLDER, task.program, undefined, env);
    if (!('files' in program)) return { ok: false, text: program.text };
    setMosquittoPasswordEntry(file, found.user, task.entry);
    const files = program.files.map(({ path, text }) => ({ path, text }));
    return { ok: true, text: `${program.next}\n${reload(env)}`, files };
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return { ok: false, text: explainError(error) };
  }
}

/** Creates, lists and revokes the credentials that boards use with Mosquitto. Returns the text to print. */
export function boardCommand(args: readonly string[], env: Env): Outcome {
  if (wantsHelp(args)) return { exitCode: 0, text: helpText(HELP) };
  try {
    return carryOut(parseArguments(HELP, args), env);
  } catch (error) {
    if (error instanceof UsageError)
      return { exitCode: EXIT_USAGE, text: usageErrorText(HELP, error.message) };
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return { exitCode: 73, text: explainError(error) };
  }
}

const ACTIONS = HELP.ways.map(([words]) => words.replace(/ .*/, ''));

function carryOut({ words, values }: ParsedArgs<typeof HELP.options>, env: Env): Outcome {
  const { for: kind, to: folder } = values;
  const [action, name] = words;
  if (action === undefined) throw new UsageError(`say what to do: ${[...new Set(ACTIONS)].join(', ')}`);
  if (!ACTIONS.includes(action))
    throw new UsageError(`there is no command ${printable(action)}: use ${[...new Set(ACTIONS)].join(', ')}`);
  if (kind !== undefined && action !== 'add') throw new UsageError('--for is only for add');
  if (folder !== undefined && kind === undefined)
    throw new UsageError('--to needs --for, which chooses the program to write there');
  const takesName = /^(add|revoke|bridge|revoke-bridge)$/.test(action);
  if (takesName && name === undefined)
    throw new UsageError(`${action} needs the name of a ${action.endsWith('bridge') ? 'bridge' : 'plant'}`);
  refuseExtraArguments(words.slice(takesName ? 2 : 1));
  if (action === 'order')
    return runBoardRequest(mosquittoEnvSchema.parse(env).BOARD_ORDER_FILE, (task) => runBoardTask(task, env));
  if (action === 'list') return listed(mosquittoEnvSchema.parse(env).MOSQUITTO_PASSWORD_FILE);
  if (action.endsWith('home-assistant')) {
    const service = { user: HOME_ASSISTANT_USER, rights: homeAssistantAclTopics };
    return action === 'home-assistant' ? setService(service, env) : revokedService(service.user, env);
  }
  if (action.endsWith('bridge')) {
    const id = bridgeIdSchema.safeParse(name);
    if (!id.success) return { exitCode: 64, text: `BRIDGE_ID ${id.error.issues[0]?.message ?? ''}` };
    const service = { user: bridgeUser(id.data), rights: bridgeAclTopics(id.data) };
    return action === 'bridge' ? setService(service, env) : revokedService(service.user, env);
  }

  const file = mosquittoEnvSchema.parse(env).MOSQUITTO_PASSWORD_FILE;
  const found = boardUserFor(name, action === 'add');
  if (!('problem' in found)) {
    const program = { ...(kind !== undefined && { kind }), ...(folder !== undefined && { folder }) };
    return action === 'revoke' ? revoked(file, found.user, env) : added(found.user, program, env);
  }
  return { exitCode: EXIT_USAGE, text: found.problem };
}

function listed(file: string): Outcome {
  const users = mosquittoUsersIn(file).filter((user) => !isServiceUser(user));
  return { exitCode: 0, text: users.map(printable).join('\n') || 'no board has a password' };
}
