/**
 * `npm run bridge -- key add <bridge> [--plants fern,moss] | list [<bridge>] | revoke <bridge> [<number>]`:
 * works on the local database or, with --remote, on the deployed one. A bridge may have several keys.
 */
import { randomBytes } from 'node:crypto';
import { bridgeIdSchema } from '#contract/bridges';
import { plantIdSchema } from '#contract/plant-id';
import * as z from 'zod';
import { printable } from '#contract/printable-text';
import { nameOption, targetName, targetFlags, deploymentTarget } from '../deployment-name.ts';
import { inlineSql, insertBridgeKey, matchingBridgeKeys, revokeBridgeKeys } from '#db/bridge-keys';
import { applyChange, type OperatorChange } from './operator-d1.ts';
import {
  refuseExtraArguments,
  parseArguments,
  UsageError,
  type ParsedArgs,
} from '../../firmware-bridge/src/commands/command-line.ts';
import { defineCommand, runAsProgram } from '../terminal.ts';

const HELP = {
  command: 'npm run bridge --',
  does: 'makes, lists and revokes the keys with which bridges sign what they send.',
  ways: [
    ['key add <bridge> [--plants fern,moss] [--remote]', 'makes a key and prints it once'],
    ['key list [<bridge>] [--remote]', 'lists all keys, or those of a bridge'],
    [
      'key revoke <bridge> [<number>] [--remote]',
      'revokes one key, or all keys of the bridge; its next request is then refused',
    ],
  ],
  options: {
    plants: {
      type: 'string',
      takes: '<plants>',
      tells: 'the plants (topics) for which the key is valid (default: all plants)',
    },
    remote: { type: 'boolean', tells: 'in the deployed database, instead of DATA_DIR' },
    name: nameOption,
  },
  example: 'npm run bridge -- key add greenhouse --plants fern,moss',
  page: 'docs/operations.md#boards-bridges-and-recordings',
} as const;

const idsSchema = z.array(plantIdSchema).min(1);
const numberSchema = z.string().regex(/^[1-9][0-9]{0,14}$/);
export const keyRowsSchema = z.array(
  z.object({
    id: z.number(),
    bridge_id: z.string(),
    plants: z.string().nullable(),
    created_at: z.number(),
    revoked_at: z.number().nullable(),
  }),
);
export type KeyRow = z.infer<typeof keyRowsSchema>[number];

const READ = 'SELECT id, bridge_id, plants, created_at, revoked_at FROM bridge_keys';

function addition(bridge: string, plants: string[] | null, key: string): OperatorChange {
  return {
    write: [inlineSql(insertBridgeKey(bridge, plants, key, Date.now()))],
    read: `${READ} WHERE ${inlineSql(matchingBridgeKeys({ bridge }))} ORDER BY id DESC LIMIT 1`,
    isSecret: true,
  };
}

function revocation(bridge: string, number: string | undefined): OperatorChange {
  const which = { bridge, id: number === undefined ? undefined : Number(number) };
  return {
    write: [inlineSql(revokeBridgeKeys(which, Date.now()))],
    read: `${READ} WHERE ${inlineSql(matchingBridgeKeys(which))} ORDER BY id`,
  };
}

function listing(bridge: string | undefined): OperatorChange {
  return {
    write: [],
    read: `${READ} WHERE ${inlineSql(matchingBridgeKeys({ bridge }))} ORDER BY bridge_id, id`,
  };
}

/** Describes a key without showing the key itself. */
export function keyLine({ id, bridge_id, plants, created_at, revoked_at }: KeyRow): string {
  const day = (instant: number) => {
    const time = new Date(instant);
    // If somebody has inserted a row with SQL, its time may be invalid.
    return Number.isNaN(time.getTime()) ? String(instant) : time.toISOString().slice(0, 16).replace('T', ' ');
  };
  const speaksFor =
    plants === null ? 'every plant' : z.array(z.string()).parse(JSON.parse(plants)).join(', ');
  const state = revoked_at === null ? 'works' : `revoked ${day(revoked_at)}`;
  return `key ${id} of ${printable(bridge_id)}, for ${printable(speaksFor)}, made ${day(created_at)}, ${state}`;
}

type Order = { action: 'add' | 'list' | 'revoke'; bridge?: string; number?: string };

/** @throws UsageError naming the argument that is wrong, and why */
function orderIn({ words, values: { plants } }: ParsedArgs<typeof HELP.options>): Order {
  const [what, action, bridge, number, ...more] = words;
  if (what !== 'key' || action === undefined)
    throw new UsageError('say what to do: key add, key list or key revoke');
  if (action !== 'add' && action !== 'list' && action !== 'revoke')
    throw new UsageError(`there is no command ${printable(action)}: use add, list or revoke`);
  if (bridge === undefined && action !== 'list') throw new UsageError(`${action} needs the name of a bridge`);
  if (bridge !== undefined && !bridgeIdSchema.safeParse(bridge).success)
    throw new UsageError(`${printable(bridge)} is not a bridge's name: 1 to 64 letters, digits and . _ -`);
  if (action !== 'revoke' && number !== undefined) refuseExtraArguments([number]);
  if (number !== undefined && !numberSchema.safeParse(number).success)
    throw new UsageError(`${printable(number)} is not a key's number: npm run bridge -- key list shows them`);
  if (plants !== undefined && action !== 'add') throw new UsageError('--plants is only for add');
  refuseExtraArguments(more);
  return {
    action,
    ...(bridge === undefined ? {} : { bridge }),
    ...(number === undefined ? {} : { number }),
  };
}

function plantsIn(plants: string | undefined): string[] | null {
  if (plants === undefined) return null;
  const ids = idsSchema.safeParse(plants.split(','));
  if (!ids.success) throw new UsageError(`--plants has an invalid name: ${printable(plants)}`);
  return ids.data;
}

/**
 * Adds, lists or revokes keys.
 * @returns the text to print
 * @throws UsageError for wrong arguments; Error with the database's message
 */
export async function bridgeKeyCommand(args: readonly string[]): Promise<string> {
  return await carryOut(parseArguments(HELP, args));
}

async function carryOut(line: ParsedArgs<typeof HELP.options>): Promise<string> {
  const { action, bridge, number } = orderIn(line);
  const where = deploymentTarget(line.values);
  const apply = async (change: OperatorChange) =>
    keyRowsSchema.parse(await applyChange({ ...change, database: 'PLANTS_DB' }, where));

  if (action === 'add' && bridge !== undefined) {
    const key = randomBytes(32).toString('base64url');
    const [row] = await apply(addition(bridge, plantsIn(line.values.plants), key));
    if (!row) throw new Error('the database did not store the key: try again');
    // The operator may copy the output into a settings file, so the first line is a comment.
    return `# ${keyLine(row)}, in ${targetName(where)}\nBRIDGE_ID=${bridge}\nBRIDGE_KEY=${key}`;
  }
  if (action === 'revoke' && bridge !== undefined) {
    const rows = await apply(revocation(bridge, number));
    if (rows.length === 0)
      throw new Error(`${bridge} has no ${number === undefined ? 'key' : `key ${number}`}`);
    return [
      ...rows.map(keyLine),
      `${bridge} keeps its readings on its disk until it has a working key: npm run bridge -- key add ${bridge}${targetFlags(where)}`,
    ].join('\n');
  }
  const rows = await apply(listing(bridge));
  return rows.length === 0 ? 'there is no key' : rows.map(keyLine).join('\n');
}

export const bridgeKey = defineCommand(HELP, carryOut);

if (import.meta.main) await runAsProgram(bridgeKey);
