/**
 * `npm run grant -- <email> <level> [--remote]`: changes a user's level in the local database or, with --remote, in the
 * deployed one. The user must have signed in once. If several users have had the address, use `--id <id> <level>`.
 * Leaves a row in the access log.
 */
import { parseArgs } from 'node:util';
import { roleNames, secureLevelSchema, type SecureLevel } from '#contract/access-levels';
import { endedAsStaff } from '#contract/session';
import * as z from 'zod';
import { visible } from '#contract/visible-text';
import { applyChange, quoted, type Change } from './operator-d1.ts';
import { print, printError } from './terminal.ts';

const USAGE = `usage: npm run grant -- <email> <level> [--remote]
       npm run grant -- --id <id> <level> [--remote]
levels: ${Object.entries(roleNames)
  .map(([level, name]) => `${level} ${name}`)
  .join(', ')}`;

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

function changeOf(meant: string, level: SecureLevel): Change {
  // Changes nothing when several users match.
  const whom = `${meant} AND (SELECT count(*) FROM users WHERE ${meant}) = 1`;
  const { levels, openedBefore, usedBefore } = endedAsStaff(Date.now());
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
  const signedIn = signed_in_at === null ? 'no session is left' : `signed in last ${time(signed_in_at)}`;
  return `id ${id}: level ${secure_level}, made ${time(created_at)}, ${signedIn}`;
}

async function grant(args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { id: { type: 'string' }, remote: { type: 'boolean', default: false } },
  });
  const [email, level, ...more] = values.id === undefined ? positionals : [undefined, ...positionals];
  const wanted = secureLevelSchema.safeParse(Number(level));
  const isSaid =
    values.id === undefined ? z.email().safeParse(email).success : idSchema.safeParse(values.id).success;
  if (!isSaid || more.length > 0 || !wanted.success) throw new Error(USAGE);
  const meant = email === undefined ? `id = ${values.id}` : `lower(email) = lower(${quoted(email)})`;
  const rows = rowsSchema.parse(
    await applyChange(changeOf(meant, wanted.data), values.remote ? 'remote' : 'local'),
  );
  const [row] = rows;
  if (!row) {
    throw new Error(
      email === undefined
        ? `there is no user ${values.id}`
        : `nobody with the address ${visible(email)} has signed in yet`,
    );
  }
  if (rows.length > 1) {
    throw new Error(
      [
        `${rows.length} users have the address ${visible(email ?? '')}, and nothing was changed:`,
        ...rows.map(lineOf),
        `say which of them: npm run grant -- --id ${row.id} ${wanted.data}`,
      ].join('\n'),
    );
  }
  return `${visible(row.email)} is now ${roleNames[wanted.data]} (level ${row.secure_level})`;
}

try {
  print(await grant(process.argv.slice(2)));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  printError(
    reason.includes('the last admin stays') ? 'refused: there is always at least one admin' : reason,
  );
  process.exitCode = 1;
}
