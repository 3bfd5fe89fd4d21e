/**
 * `npm run bridge-key -- add <bridge> [--plants fern,moss] | list [<bridge>] | revoke <bridge> [<number>]`, on the
 * local database or, with --remote, on the deployed one. A bridge may hold several keys while one replaces another.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { plantNameSchema } from '#contract/plants';
import * as z from 'zod';
import { visible } from '#contract/visible-text';
import { applyChange, quoted, type Change } from './operator-d1.ts';
import { print, printError } from './terminal.ts';

const USAGE = `usage: npm run bridge-key -- add <bridge> [--plants fern,moss] [--remote]
       npm run bridge-key -- list [<bridge>] [--remote]
       npm run bridge-key -- revoke <bridge> [<number>] [--remote]
add prints the new key, once; without --plants it may speak for every plant.
revoke ends one key, or every key of the bridge, with its next request.`;

/** The same rule as the bridge's own BRIDGE_ID. */
const bridgeSchema = z.string().regex(/^[0-9A-Za-z._-]{1,64}$/);
const plantsSchema = z.array(plantNameSchema).min(1);
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

function addition(bridge: string, plants: string[] | null, key: string): Change {
  const names = plants === null ? 'NULL' : quoted(JSON.stringify(plants));
  return {
    write: [
      `INSERT INTO bridge_keys (bridge_id, key, plants, created_at)
       VALUES (${quoted(bridge)}, ${quoted(key)}, ${names}, ${Date.now()})`,
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

/** Describes a key without revealing it. */
export function keyLine({ id, bridge_id, plants, created_at, revoked_at }: KeyRow): string {
  const day = (instant: number) => {
    const time = new Date(instant);
    // A row inserted by hand may hold an invalid time.
    return Number.isNaN(time.getTime()) ? String(instant) : time.toISOString().slice(0, 16).replace('T', ' ');
  };
  const speaksFor = plants === null ? 'every plant' : plantsSchema.parse(JSON.parse(plants)).join(', ');
  const state = revoked_at === null ? 'works' : `revoked ${day(revoked_at)}`;
  return `key ${id} of ${visible(bridge_id)}, for ${visible(speaksFor)}, made ${day(created_at)}, ${state}`;
}

/**
 * Adds, lists or revokes keys.
 * @returns the text to print
 * @throws Error with the usage or the database's message
 */
export async function bridgeKeyCommand(args: string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { plants: { type: 'string' }, remote: { type: 'boolean' } },
  });
  const [command, bridge, number, ...more] = positionals;
  const isRight =
    more.length === 0 &&
    (bridge === undefined ? command === 'list' : bridgeSchema.safeParse(bridge).success) &&
    (number === undefined || (command === 'revoke' && numberSchema.safeParse(number).success)) &&
    (values.plants === undefined || command === 'add');
  if (!isRight) throw new Error(USAGE);
  const where = values.remote === true ? 'remote' : 'local';
  const apply = async (change: Change) => keyRowsSchema.parse(await applyChange(change, where));

  if (command === 'add' && bridge !== undefined) {
    const plants = plantsSchema.nullable().safeParse(values.plants?.split(',') ?? null);
    if (!plants.success) throw new Error(`no such plants can be: ${visible(values.plants ?? '')}`);
    const key = randomBytes(32).toString('base64url');
    const [row] = await apply(addition(bridge, plants.data, key));
    if (!row) throw new Error('the key was not stored');
    return `${keyLine(row)}, in the ${where} database\nBRIDGE_ID=${bridge}\nBRIDGE_KEY=${key}`;
  }
  if (command === 'revoke' && bridge !== undefined) {
    const rows = await apply(revocation(bridge, number));
    if (rows.length === 0)
      throw new Error(`${bridge} has no ${number === undefined ? 'key' : `key ${number}`}`);
    return [
      ...rows.map(keyLine),
      `readings that wait on ${bridge} stay on its disk until it has a key that works: npm run bridge-key -- add ${bridge}`,
    ].join('\n');
  }
  if (command === 'list') {
    const rows = await apply(listing(bridge));
    return rows.length === 0 ? 'there is no key' : rows.map(keyLine).join('\n');
  }
  throw new Error(USAGE);
}

if (import.meta.main) {
  try {
    print(await bridgeKeyCommand(process.argv.slice(2)));
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}
