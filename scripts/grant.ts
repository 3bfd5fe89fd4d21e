/**
 * `npm run grant -- <email> <level> [--remote]`: the operator's way to change a user's level, in the local database
 * or, with --remote, in the deployed one. The user must have signed in once. Leaves a row in the access log.
 */
import { roleNames, secureLevelSchema, type SecureLevel } from '#contract/access-levels';
import * as z from 'zod';
import { applyChange, quoted, type Change } from './operator-d1.ts';

const USAGE = `usage: npm run grant -- <email> <level> [--remote]
levels: ${Object.entries(roleNames)
  .map(([level, name]) => `${level} ${name}`)
  .join(', ')}`;

const rowsSchema = z.array(z.object({ name: z.string(), email: z.string(), secure_level: z.number() }));

function changeOf(email: string, level: SecureLevel): Change {
  const whom = `lower(email) = lower(${quoted(email)})`;
  return {
    write: [
      `INSERT INTO access_log (at, actor_id, address, action, subject, subject_id, detail)
       SELECT ${Date.now()}, NULL, 'operator', 'change', 'user', CAST(id AS TEXT),
              json_object('secure_level', json_array(secure_level, ${level}))
       FROM users WHERE ${whom}`,
      `UPDATE users SET secure_level = ${level} WHERE ${whom}`,
    ],
    read: `SELECT name, email, secure_level FROM users WHERE ${whom}`,
  };
}

async function grant(args: string[]): Promise<string> {
  const [email, level] = args.filter((arg) => arg !== '--remote');
  const wanted = secureLevelSchema.safeParse(Number(level));
  if (!z.email().safeParse(email).success || email === undefined || !wanted.success) throw new Error(USAGE);
  const change = changeOf(email, wanted.data);
  const rows = rowsSchema.parse(await applyChange(change, args.includes('--remote') ? 'remote' : 'local'));
  if (rows.length === 0) throw new Error(`nobody with the address ${email} has signed in yet`);
  return rows
    .map((row) => `${row.email} is now ${roleNames[wanted.data]} (level ${row.secure_level})`)
    .join('\n');
}

try {
  console.log(await grant(process.argv.slice(2)));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(
    reason.includes('the last admin stays') ? 'refused: there is always at least one admin' : reason,
  );
  process.exitCode = 1;
}
