/**
 * `npm run person -- export <email|number> --reason <text> [--include <table:id>] [--to <folder>] [--remote]` writes
 * everything stored about a person into a file. Rows in which only a name may refer to them are listed instead, and
 * exported if chosen with --include. `npm run person -- erase <email|number> [--remote]` shows what would be erased and
 * the command that erases it. Both leave a row in the access log.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { maskPeople, spellingsOf } from '#contract/access-log';
import { visible } from '#contract/visible-text';
import { reasonSchema } from '#contract/students';
import { personalData, type Holding, type PersonSql } from '#db/personal-data';
import { makeFolder } from '../firmware-bridge/src/folders.ts';
import type { Store } from './backup/store.ts';
import { candidateLines, chosenOf, findMentioned } from './mentioned-rows.ts';
import { applyChange, quoted } from './operator-d1.ts';
import { forShell, print, printError } from './terminal.ts';
import { commandVariables, settings } from './variables.ts';

const USAGE = `usage: npm run person -- export <email|student number> --reason <text> [--include <table:id>]… [--to <folder>] [--remote]
       npm run person -- erase <email|student number> [--confirm=<what it asks for>] [--remote]
A number that begins with a dash stands last, behind two of them: npm run person -- erase -- -2026`;

const holdings: [table: string, holding: Holding][] = Object.entries(personalData);

type Where = 'local' | 'remote';
const foundSchema = z.array(
  z.object({ kind: z.enum(['user', 'student']), id: z.string(), name: z.string(), email: z.string() }),
);
type Person = { found: z.output<typeof foundSchema>; sql: PersonSql };

/**
 * Finds the user and the student who are the same person: by email address, by number, and by what the product itself
 * accepts as proof, which is the roster's address or a verified number. A number that is merely claimed does not count.
 * @throws Error when there is nobody, or more than one
 */
async function find(word: string, where: Where): Promise<Person> {
  const isWord = `lower(email) = lower(${quoted(word)})`;
  const read = `
    WITH listed AS (SELECT id, email FROM students WHERE id = ${quoted(word)} OR ${isWord}),
      account AS (SELECT * FROM users WHERE ${isWord} OR (univ_id = ${quoted(word)} AND univ_id_verified_at IS NOT NULL)
        OR lower(email) IN (SELECT lower(email) FROM listed WHERE email <> '')),
      student AS (SELECT id FROM listed
        UNION SELECT univ_id FROM account WHERE univ_id_verified_at IS NOT NULL)
    SELECT 'user' AS kind, CAST(id AS TEXT) AS id, name, email FROM account
    UNION ALL SELECT 'student', id, name, email FROM students WHERE id IN (SELECT id FROM student)`;
  const found = foundSchema.parse(await applyChange({ write: [], read }, where));
  if (found.length === 0) throw new Error('nobody is stored under that address or number');
  const ids = (kind: string) => found.filter((row) => row.kind === kind).map(({ id }) => id);
  if (ids('user').length > 1 || ids('student').length > 1) {
    const list = found.map(({ kind, id }) => `${kind} ${visible(id)}`).join(', ');
    throw new Error(`this is more than one person: ${list}. Give what only one of them has`);
  }
  const texts = (values: string[]) => `(${[...new Set(values)].map(quoted).join(', ')})`;
  const filled = (values: string[]) => texts(values.filter((value) => value !== ''));
  return {
    found,
    sql: {
      users: `(${ids('user').map(Number).join(', ')})`,
      students: texts(ids('student')),
      emails: filled(found.map(({ email }) => email.toLowerCase())),
    },
  };
}

function mentioned({ found, sql }: Person, where: Where) {
  const numbers = found.filter(({ kind }) => kind === 'student').map(({ id }) => id);
  const filled = (values: string[]) => [...new Set(values)].filter((value) => value !== '');
  const ids = filled([...numbers, ...found.map(({ email }) => email)]);
  return findMentioned(sql, { ids, names: filled(found.map(({ name }) => name)) }, where);
}

/** SQL condition for the rows about the person. */
const isOf = (table: string, holding: Holding, person: Person, more: Record<string, string[]>) =>
  `(${holding.whose(person.sql)}${more[table] ? ` OR CAST(id AS TEXT) IN (${more[table].map(quoted).join(', ')})` : ''})`;

function logged({ found }: Person, action: 'export' | 'delete', detail: object): string[] {
  return found.map(
    ({ kind, id }) =>
      `INSERT INTO access_log (at, address, action, subject, subject_id, detail)
       VALUES (${Date.now()}, 'operator', '${action}', '${kind}', ${quoted(id)}, ${quoted(JSON.stringify(detail))})`,
  );
}

const rowsSchema = z.tuple([z.object({ person: z.string() })]);
const exportSchema = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));
const countsSchema = z.record(z.string(), z.object({ count: z.int(), entries: z.array(z.int()) }));

/** Of what the books keep, the column with the entry's number, under which it stands on screen. */
const ENTRY_NUMBERS: Record<string, string> = {
  ledger_entries: 'id',
  receipts: 'entry_id',
  ledger_history: 'entry_id',
};

/** The reason as the log may hold it: nothing can be taken away from the log later. */
async function maskedReason(reason: string, where: Where): Promise<string> {
  const isSaid = spellingsOf(reason).map(
    (said) =>
      `instr(lower(${quoted(said)}), lower(replace(replace(replace(name, ' ', ''), char(160), ''), char(12288), ''))) > 0`,
  );
  const names = ['students', 'users', 'dues'].map(
    (table) => `SELECT name FROM ${table} WHERE name <> '' AND (${isSaid.join(' OR ')})`,
  );
  const found = z
    .array(z.object({ name: z.string() }))
    .parse(await applyChange({ write: [], read: names.join(' UNION ') }, where));
  return maskPeople(
    reason,
    found.map(({ name }) => name),
  );
}

type ExportOptions = { reason: string; folder: string; include: string[]; where: Where };

/** Writes every row about the person with their picture and the receipts of their dues into one file, readable only by its owner. */
async function exportPerson(
  word: string,
  { reason, folder, include, where }: ExportOptions,
): Promise<string> {
  const person = await find(word, where);
  const { sure, candidates } = await mentioned(person, where);
  const more = { ...sure, ...chosenOf(include, candidates) };
  const tables = holdings.map(([table, holding]) => {
    const columns = holding.exported.map((column) => `'${column}', ${column}`).join(', ');
    return `'${table}', (SELECT json_group_array(json_object(${columns})) FROM ${table} WHERE ${isOf(table, holding, person, more)})`;
  });
  const said = await maskedReason(reason, where);
  const [row] = rowsSchema.parse(
    await applyChange(
      {
        write: logged(person, 'export', { reason: said }),
        read: `SELECT json_object(${tables.join(', ')}) AS person`,
      },
      where,
    ),
  );
  const stored = exportSchema.parse(JSON.parse(row.person));
  const files = await withStore(where, async (store) => {
    const receipts = (stored['receipts'] ?? []).map(({ id }) => `receipts/${String(id)}`);
    const keys = [...picturesOf(person), ...receipts];
    const objects = await Promise.all(keys.map((key) => store.readObject(key)));
    return objects
      .filter((object) => object !== undefined)
      .map(({ key, type, content }) => ({ key, type, base64: Buffer.from(content).toString('base64') }));
  });
  makeFolder(folder);
  const file = newFile(
    folder,
    `person-${new Date().toISOString().slice(0, 10)}-${person.found[0]?.id ?? ''}`,
  );
  writeFileSync(file, `${JSON.stringify({ ...stored, files }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  const counts = Object.entries(stored).filter(([, rows]) => rows.length > 0);
  const left = candidates.filter(({ table, id }) => !include.includes(`${table}:${id}`));
  return [
    ...counts.map(([table, rows]) => `${table}: ${rows.length}`),
    `files: ${files.length}`,
    ...(left.length === 0
      ? []
      : [
          'left out, because only the name may mean them; --include <table:id> takes one:',
          ...candidateLines(left),
        ]),
    visible(file),
  ].join('\n');
}

/** A file that is not there yet: `name.json`, `name-2.json` … */
function newFile(folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const file = join(folder, `${name}${number === 1 ? '' : `-${number}`}.json`);
    if (!existsSync(file)) return file;
  }
}

/** Built from ids only: a name may start with a dash, contain a line break or be impossible to type. */
const confirmationOf = ({ found }: Person) => found.map(({ kind, id }) => `${kind}-${id}`).join('+');

function erasing(word: string, person: Person, where: Where): string {
  const options = `--confirm=${confirmationOf(person)}${where === 'remote' ? ' --remote' : ''}`;
  return `npm run person -- erase ${options} ${word.startsWith('-') ? '-- ' : ''}${forShell(word)}`;
}

/** Describes what is stored, and erases it if the confirmation matches. */
async function erasePerson(word: string, confirm: string | undefined, where: Where): Promise<string> {
  const person = await find(word, where);
  const { sure, candidates } = await mentioned(person, where);
  const counts = holdings.map(([table, holding]) => {
    const column = ENTRY_NUMBERS[table];
    const entries = column === undefined ? "json('[]')" : `json_group_array(DISTINCT ${column})`;
    return `'${table}', (SELECT json_object('count', count(*), 'entries', ${entries}) FROM ${table}
      WHERE ${isOf(table, holding, person, sure)})`;
  });
  const [row] = rowsSchema.parse(
    await applyChange({ write: [], read: `SELECT json_object(${counts.join(', ')}) AS person` }, where),
  );
  const lines = Object.entries(countsSchema.parse(JSON.parse(row.person)))
    .filter(([, { count }]) => count > 0)
    .map(([table, { count, entries }]) => {
      const numbers = entries.length === 0 ? '' : ` (entry ${entries.toSorted((a, b) => a - b).join(', ')})`;
      return `${table}: ${count}${numbers} ${fateOf(table)}`;
    });
  if (candidates.length > 0) {
    lines.push('kept, and may hold the name; look whether it is theirs:', ...candidateLines(candidates));
  }
  if (confirm !== confirmationOf(person)) {
    const who = person.found.map(({ kind, id, name, email }) =>
      `${kind} ${visible(id)}: ${visible(name)} ${visible(email)}`.trim(),
    );
    throw new Error(
      [...who, ...lines, 'nothing was removed. This removes it for good:', erasing(word, person, where)].join(
        '\n',
      ),
    );
  }
  const erasures = holdings.flatMap(([table, { whose, erase }]) => {
    if (erase === 'delete') return [`DELETE FROM ${table} WHERE ${whose(person.sql)}`];
    return 'set' in erase ? [`UPDATE ${table} SET ${erase.set} WHERE ${whose(person.sql)}`] : [];
  });
  const write = [...logged(person, 'delete', {}), ...erasures];
  await applyChange({ write, read: 'SELECT 1', isSecret: true }, where);
  await withStore(where, async (store) => {
    for (const key of picturesOf(person)) await store.deleteObject(key);
  });
  return [
    ...lines,
    'typed names on lists of dues, archives and ADMIN_EMAILS are nobody’s account: look there yourself',
  ].join('\n');
}

function fateOf(table: string): string {
  const erase = holdings.find(([name]) => name === table)?.[1].erase;
  if (erase === 'delete') return 'removed';
  return erase && 'keep' in erase ? `kept: ${erase.keep}` : 'kept without the name';
}

const picturesOf = ({ found }: Person) =>
  found.filter(({ kind }) => kind === 'student').map(({ id }) => `pictures/${id}`);

/** Imported lazily: it loads wrangler, which takes a second. */
async function openStore(where: Where): Promise<Store> {
  if (where === 'remote') return await (await import('./backup/remote-store.ts')).openRemoteStore();
  const { openLocalStore } = await import('./backup/local-store.ts');
  return await openLocalStore(settings(commandVariables).DATA_DIR);
}

async function withStore<T>(where: Where, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(where);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function run(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      reason: { type: 'string' },
      to: { type: 'string', default: '.' },
      confirm: { type: 'string' },
      include: { type: 'string', multiple: true, default: [] },
      remote: { type: 'boolean', default: false },
    },
  });
  const [action, word, more] = positionals;
  const where = values.remote ? 'remote' : 'local';
  const isWord = /^(?:[^\s@]+@[^\s@]+|[0-9A-Za-z-]{4,20})$/.test(word ?? '');
  if (word === undefined || more !== undefined || !isWord) throw new Error(USAGE);
  if (action === 'export' && values.reason !== undefined) {
    const reason = reasonSchema.safeParse(values.reason);
    if (!reason.success) throw new Error('--reason needs 2 to 200 characters');
    return await exportPerson(word, {
      reason: reason.data,
      folder: values.to,
      include: values.include,
      where,
    });
  }
  if (action === 'erase') return await erasePerson(word, values.confirm, where);
  throw new Error(USAGE);
}

try {
  print(await run());
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  printError(reason.includes('the last admin stays') ? 'refused: make somebody else an admin first' : reason);
  process.exitCode = 1;
}
