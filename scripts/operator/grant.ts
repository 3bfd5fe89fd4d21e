/**
 * `npm run person -- grant <email> <level> [--remote]`: changes a user's level, and writes a row into the
 * access log. The user must have signed in once. If several users have the address, use `--id <id> <level>`.
 */
import { roleNames, secureLevelSchema, type SecureLevel } from '#contract/access-levels';
import { endedStaffSessionLimits } from '#contract/session';
import * as z from 'zod';
import { printable } from '#contract/printable-text';
import { nameOption, targetFlags, deploymentTarget } from '../deployment-name.ts';
import { applyChange, quoteSqlText, type OperatorChange } from './operator-d1.ts';
import {
  refuseExtraArguments,
  UsageError,
  type ParsedArgs,
} from '../../firmware-bridge/src/commands/command-line.ts';
import { defineCommand } from '../terminal.ts';

const LEVELS = Object.entries(roleNames)
  .map(([level, name]) => `${level} ${name}`)
  .join(', ');

const HELP = {
  command: 'npm run person -- grant',
  does: 'changes the level of a user who has signed in before. The access log records the change.',
  ways: [
    ['<email> <level> [--remote]', 'for the user with that address'],
    ['--id <id> <level> [--remote]', 'if several users have that address'],
  ],
  options: {
    id: { type: 'string', takes: '<id>', tells: "the user's number, instead of an address" },
    remote: {
      type: 'boolean',
      default: false,
      tells: 'in the deployed database, instead of DATA_DIR',
    },
    name: nameOption,
  },
  notes: `levels: ${LEVELS}`,
  example: 'npm run person -- grant someone@univ.example 3',
  page: 'docs/operations.md#people-and-levels',
} as const;

const idSchema = z.string().regex(/^[1-9][0-9]{0,14}$/);
const rowsSchema = z.array(
  z.object({
    id: z.number(),
    email: z.string(),
    secure_level: z.number(),
    created_at: z.number(),
    signed_in_at: z.number().nullable(),
  }),
);
type UserRow = z.infer<typeof rowsSchema>[number];

function changeOf(meant: string, level: SecureLevel): OperatorChange {
  // If several users match, the statement changes nothing.
  const whom = `${meant} AND (SELECT count(*) FROM users WHERE ${meant}) = 1`;
  const { levels, openedBefore, usedBefore } = endedStaffSessionLimits(Date.now());
  return {
    write: [
      `INSERT INTO access_log (at, actor_id, address, action, subject, subject_id, detail)
       SELECT ${Date.now()}, NULL, 'operator', 'change', 'user', CAST(id AS TEXT),
              json_object('secure_level', json_array(secure_level, ${level}))
       FROM users WHERE ${whom}`,
      `DELETE FROM sessions WHERE (created_at < ${openedBefore} OR last_used_at < ${usedBefore})
         AND user_id IN (SELECT id FROM users WHERE secure_level IN (${levels.join(', ')}) AND ${whom})`,
      `UPDATE users SET secure_level = ${level} WHERE ${whom}`,
    ],
    read: `SELECT id, email, secure_level, created_at,
             (SELECT max(created_at) FROM sessions WHERE user_id = users.id) AS signed_in_at
           FROM users WHERE ${meant} ORDER BY id`,
  };
}

const time = (instant: number) => `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function lineOf({ id, secure_level, created_at, signed_in_at }: UserRow): string {
  const signedIn = signed_in_at === null ? 'not signed in now' : `last signed in ${time(signed_in_at)}`;
  return `id ${id}: level ${secure_level}, created ${time(created_at)}, ${signedIn}`;
}

/** @throws UsageError naming the argument that is wrong, and why */
function meantBy({ values: { id }, words }: ParsedArgs<typeof HELP.options>): {
  email?: string;
  level: SecureLevel;
} {
  const [email, level] = id === undefined ? words : [undefined, words[0]];
  if (id !== undefined && !idSchema.safeParse(id).success)
    throw new UsageError(`--id ${printable(id)} is not a user's number: it must be a whole number from 1`);
  if (id !== undefined && words.length > 1)
    throw new UsageError('--id replaces the address: give only the level after it');
  if (id === undefined && email === undefined) throw new UsageError("the user's email address is missing");
  if (email !== undefined && !z.email().safeParse(email).success)
    throw new UsageError(`${printable(email)} is not an email address: give the user's address first`);
  if (level === undefined) throw new UsageError(`the level is missing: ${LEVELS}`);
  const wanted = secureLevelSchema.safeParse(/^[0-9]+$/.test(level) ? Number(level) : undefined);
  if (!wanted.success) throw new UsageError(`${printable(level)} is not a level: ${LEVELS}`);
  refuseExtraArguments(words.slice(id === undefined ? 2 : 1));
  return { ...(email === undefined ? {} : { email }), level: wanted.data };
}

async function grant(line: ParsedArgs<typeof HELP.options>): Promise<string> {
  const { values } = line;
  const { email, level: wanted } = meantBy(line);
  const where = deploymentTarget(values);
  const meant = email === undefined ? `id = ${values.id}` : `lower(email) = lower(${quoteSqlText(email)})`;
  const rows = rowsSchema.parse(await applyChange(changeOf(meant, wanted), where));
  const [row] = rows;
  if (!row) {
    throw new Error(
      email === undefined
        ? `there is no user number ${values.id}`
        : `nobody with the address ${printable(email)} has signed in yet`,
    );
  }
  if (rows.length > 1) {
    throw new Error(
      [
        `${rows.length} users have the address ${printable(email ?? '')}, and nothing was changed:`,
        ...rows.map(lineOf),
        `choose one by its number: npm run person -- grant --id ${row.id} ${wanted}${targetFlags(where)}`,
      ].join('\n'),
    );
  }
  return `${printable(row.email)} is now ${roleNames[wanted]} (level ${row.secure_level})`;
}

export const grantCommand = defineCommand(HELP, async (line) => {
  try {
    return await grant(line);
  } catch (error) {
    if (error instanceof Error && error.message.includes('the last admin stays'))
      throw new Error('refused: this is the last admin, and one must remain', { cause: error });
    throw error;
  }
});
