/**
 * `npm run bridge-key -- add <bridge> [--group moss-lab] [--plants fern,moss] | list [<bridge>] | revoke <bridge> [<number>]`, on the
 * local database or, with --remote, on the deployed one. A bridge may hold several keys while one replaces another; all
 * are of one group of plants.
 */
import { randomBytes } from 'node:crypto';
import { EVERY_GROUP, inGroup, isWithin, OWN_GROUP, plantIdSchema } from '#contract/plant-group';
import * as z from 'zod';
import { visible } from '#contract/visible-text';
import { applyChange, quoted, type Change } from './operator-d1.ts';
import { checkGroup, noMore, readLine, WrongUse, type Line } from '../firmware-bridge/src/command-line.ts';
import { command, runCommand } from './terminal.ts';

const HELP = {
  command: 'npm run bridge-key --',
  does: 'makes, lists and ends the keys under which bridges sign what they send.',
  ways: [
    ['add <bridge> [--group <group>] [--plants fern,moss] [--remote]', 'prints a new key, once'],
    ['list [<bridge>] [--remote]', 'all keys, or those of a bridge'],
    [
      'revoke <bridge> [<number>] [--remote]',
      'ends one key, or every key of the bridge, with its next request',
    ],
  ],
  options: {
    group: {
      type: 'string',
      takes: '<group>',
      tells:
        "whose plants it may speak for, + for every group's; without it the laboratory's own, whose topics name none",
    },
    plants: {
      type: 'string',
      takes: '<plants>',
      tells: 'for which of the group it may speak, by their names; without it for every one',
    },
    remote: { type: 'boolean', tells: 'in the deployed database; without it that of DATA_DIR' },
  },
  example: 'npm run bridge-key -- add greenhouse --group moss-lab',
  page: 'docs/operations.md#bridges-and-their-keys',
} as const;

/** The same rule as the bridge's own BRIDGE_ID. */
const bridgeSchema = z.string().regex(/^[0-9A-Za-z._-]{1,64}$/);
const idsSchema = z.array(plantIdSchema).min(1);
const numberSchema = z.string().regex(/^[1-9][0-9]{0,14}$/);
export const keyRowsSchema = z.array(
  z.object({
    id: z.number(),
    bridge_id: z.string(),
    // In an archive of before there is none.
    plant_group: z.string().default(OWN_GROUP),
    plants: z.string().nullable(),
    created_at: z.number(),
    revoked_at: z.number().nullable(),
  }),
);
export type KeyRow = z.infer<typeof keyRowsSchema>[number];

const READ = 'SELECT id, bridge_id, plant_group, plants, created_at, revoked_at FROM bridge_keys';

function addition(bridge: string, group: string, plants: string[] | null, key: string): Change {
  const ids = plants === null ? 'NULL' : quoted(JSON.stringify(plants));
  return {
    write: [
      `INSERT INTO bridge_keys (bridge_id, key, plant_group, plants, created_at)
       VALUES (${quoted(bridge)}, ${quoted(key)}, ${quoted(group)}, ${ids}, ${Date.now()})`,
    ],
    read: `${READ} WHERE bridge_id = ${quoted(bridge)} ORDER BY id DESC LIMIT 1`,
    isSecret: true,
  };
}

function revocation(bridge: string, number: string | undefined): Change {
  const which = `bridge_id = ${quoted(bridge)}${number === undefined ? '' : ` AND id = ${number}`}`;
  return {
    write: [`UPDATE bridge_keys SET revoked_at = ${Date.now()} WHERE ${which} AND revoked_at IS NULL`],
    read: `${READ} WHERE ${which} ORDER BY id`,
  };
}

function listing(bridge: string | undefined): Change {
  const which = bridge === undefined ? '' : ` WHERE bridge_id = ${quoted(bridge)}`;
  return { write: [], read: `${READ}${which} ORDER BY bridge_id, id` };
}

function groupName(group: string): string {
  if (group === EVERY_GROUP) return 'every group';
  return group === OWN_GROUP ? "the laboratory's own group" : `group ${group}`;
}

/** Describes a key without revealing it. */
export function keyLine({ id, bridge_id, plant_group, plants, created_at, revoked_at }: KeyRow): string {
  const day = (instant: number) => {
    const time = new Date(instant);
    // A row inserted by hand may hold an invalid time.
    return Number.isNaN(time.getTime()) ? String(instant) : time.toISOString().slice(0, 16).replace('T', ' ');
  };
  const every =
    plant_group === OWN_GROUP
      ? 'every plant'
      : `every plant of ${plant_group === EVERY_GROUP ? 'every group' : plant_group}`;
  const speaksFor = plants === null ? every : z.array(z.string()).parse(JSON.parse(plants)).join(', ');
  const state = revoked_at === null ? 'works' : `revoked ${day(revoked_at)}`;
  return `key ${id} of ${visible(bridge_id)}, for ${visible(speaksFor)}, made ${day(created_at)}, ${state}`;
}

type Order = { action: 'add' | 'list' | 'revoke'; bridge?: string; number?: string };

/** @throws WrongUse naming the word that is none, and why */
function orderIn({ words, values: { group, plants } }: Line<typeof HELP.options>): Order {
  const [action, bridge, number, ...more] = words;
  if (action === undefined) throw new WrongUse('say what to do: add, list or revoke');
  if (action !== 'add' && action !== 'list' && action !== 'revoke')
    throw new WrongUse(`there is no ${visible(action)}: add, list or revoke`);
  if (bridge === undefined && action !== 'list') throw new WrongUse(`${action} needs the name of a bridge`);
  if (bridge !== undefined && !bridgeSchema.safeParse(bridge).success)
    throw new WrongUse(`${visible(bridge)} is no name of a bridge: 1 to 64 letters, digits and . _ -`);
  if (action !== 'revoke' && number !== undefined) noMore([number]);
  if (number !== undefined && !numberSchema.safeParse(number).success)
    throw new WrongUse(`${visible(number)} is no number of a key: npm run bridge-key -- list tells them`);
  for (const [option, value] of Object.entries({ group, plants }))
    if (value !== undefined && action !== 'add') throw new WrongUse(`--${option} goes with add alone`);
  noMore(more);
  return {
    action,
    ...(bridge === undefined ? {} : { bridge }),
    ...(number === undefined ? {} : { number }),
  };
}

/** @throws WrongUse for what is no group, or no plants of it */
function scopeIn({ group: asked, plants }: { group?: string; plants?: string }) {
  checkGroup(asked);
  const group = asked ?? OWN_GROUP;
  const ids = plants?.split(',').map((name) => (group === EVERY_GROUP ? name : inGroup(group, name))) ?? null;
  if (ids !== null && !(idsSchema.safeParse(ids).success && ids.every((id) => isWithin(group, id))))
    throw new WrongUse(`no such plants can be: ${visible(plants ?? '')}`);
  return { group, plants: ids };
}

/**
 * Adds, lists or revokes keys.
 * @returns the text to print
 * @throws WrongUse for words that are none, and Error with the database's message
 */
export async function bridgeKeyCommand(args: readonly string[]): Promise<string> {
  return await carryOut(readLine(HELP, args));
}

async function carryOut(line: Line<typeof HELP.options>): Promise<string> {
  const { action, bridge, number } = orderIn(line);
  const where = line.values.remote === true ? 'remote' : 'local';
  const apply = async (change: Change) =>
    keyRowsSchema.parse(await applyChange({ ...change, database: 'PLANTS_DB' }, where));

  if (action === 'add' && bridge !== undefined) {
    const { group, plants } = scopeIn(line.values);
    const [held] = await apply(listing(bridge));
    if (held !== undefined && held.plant_group !== group)
      throw new Error(
        `the keys of ${bridge} are of ${groupName(held.plant_group)}, and all keys of a bridge are of one: give another bridge another name`,
      );
    const key = randomBytes(32).toString('base64url');
    const [row] = await apply(addition(bridge, group, plants, key));
    if (!row) throw new Error('the key was not stored');
    return `${keyLine(row)}, in the ${where} database\nBRIDGE_ID=${bridge}\nBRIDGE_KEY=${key}${group === OWN_GROUP ? '' : `\nPLANT_GROUP=${group}`}`;
  }
  if (action === 'revoke' && bridge !== undefined) {
    const rows = await apply(revocation(bridge, number));
    if (rows.length === 0)
      throw new Error(`${bridge} has no ${number === undefined ? 'key' : `key ${number}`}`);
    return [
      ...rows.map(keyLine),
      `readings that wait on ${bridge} stay on its disk until it has a key that works: npm run bridge-key -- add ${bridge}`,
    ].join('\n');
  }
  const rows = await apply(listing(bridge));
  return rows.length === 0 ? 'there is no key' : rows.map(keyLine).join('\n');
}

export const bridgeKey = command(HELP, carryOut);

if (import.meta.main) await runCommand(bridgeKey);
