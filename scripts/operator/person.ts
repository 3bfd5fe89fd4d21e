/**
 * `npm run person -- export <email|number> --reason <text> [--include <table:id>] [--to <folder>] [--remote]`
 * writes everything that is stored about a person into a file. It lists rows that have only the person's
 * name; --include exports such a row too. `npm run person -- erase <email|number> [--remote]` shows what
 * would be erased, and the command that erases it. Both commands write a row into the access log.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { maskPeople, nameSpellings } from '#contract/access-log';
import { printable } from '#contract/printable-text';
import { exportReasonSchema } from '#contract/students';
import { personalData, type PersonalTable } from '#db/personal-data';
import {
  refuseExtraArguments,
  UsageError,
  type ParsedArgs,
} from '../../firmware-bridge/src/commands/command-line.ts';
import { withFileLock } from '../../firmware-bridge/src/file-lock.ts';
import { createFile, makeFolder } from '../../firmware-bridge/src/files.ts';
import type { Store } from '../backup/store.ts';
import {
  LOCAL,
  nameOption,
  targetFlags,
  deploymentTarget,
  type DeploymentTarget,
} from '../deployment-name.ts';
import {
  mentionCandidateLines,
  selectedMentions,
  findPerson,
  findMentions,
  type FoundPerson,
} from './find-person.ts';
import { grantCommand } from './grant.ts';
import { DATABASES } from '../database/local-d1.ts';
import { applyChange, quoteSqlText } from './operator-d1.ts';
import { defineCommand, quoteForShell, runAsProgram, type Command } from '../terminal.ts';
import { commandEnvSchema, parseSettings } from '../variables.ts';

const HELP = {
  command: 'npm run person --',
  does: "exports everything stored about one person into a file, erases it, or changes a user's level. The access log records every use.",
  ways: [
    [
      'export <email|student number> --reason <text> [--include <table:id>]… [--to <folder>] [--remote]',
      'writes one JSON file, with the pictures',
    ],
    ['grant <email> <level> [--remote]', "changes a user's level; person -- grant --help explains it"],
    [
      'erase <email|student number> [--confirm=<what it asks for>] [--remote]',
      'lists what is stored, and prints the command that erases it for good',
    ],
  ],
  options: {
    reason: { type: 'string', takes: '<text>', tells: 'the reason, for the access log' },
    include: {
      type: 'string',
      takes: '<table:id>',
      multiple: true,
      tells: 'adds a row that has only the name, written as the export lists it; may be repeated',
    },
    to: { type: 'string', takes: '<folder>', default: '.', tells: 'folder of the file (default: here)' },
    confirm: { type: 'string', takes: '<words>', tells: 'the text that erase printed; erases for good' },
    remote: {
      type: 'boolean',
      default: false,
      tells: 'in the deployed product, instead of DATA_DIR',
    },
    name: nameOption,
  },
  notes:
    'If a number begins with a dash, write it last, with two dashes before it: npm run person -- erase -- -2026',
  example: 'npm run person -- export someone@univ.example --reason "본인 열람 요청" --to /tmp',
  page: 'docs/operations.md#one-persons-data',
} as const;

const holdings: [table: string, holding: PersonalTable][] = Object.entries(personalData);

/** An SQL condition that is true for rows about the person. */
const isOf = (table: string, holding: PersonalTable, person: FoundPerson, more: Record<string, string[]>) =>
  `(${holding.whose(person.sql)}${more[table] ? ` OR CAST(id AS TEXT) IN (${more[table].map(quoteSqlText).join(', ')})` : ''})`;

function logged({ found }: FoundPerson, action: 'export' | 'delete', detail: object): string[] {
  return found.map(
    ({ kind, id }) =>
      `INSERT INTO access_log (at, address, action, subject, subject_id, detail)
       VALUES (${Date.now()}, 'operator', '${action}', '${kind}', ${quoteSqlText(id)}, ${quoteSqlText(JSON.stringify(detail))})`,
  );
}

const rowsSchema = z.tuple([z.object({ person: z.string() })]);
const exportSchema = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));
const countsSchema = z.record(z.string(), z.object({ count: z.int(), entries: z.array(z.int()) }));

/** The ledger's tables, each with the column for an entry's number. The screens show the same number. */
const ENTRY_NUMBERS: Record<string, string> = {
  ledger_entries: 'id',
  receipts: 'entry_id',
  ledger_history: 'entry_id',
};

/** Masks names and numbers in the reason, because no row of the access log can be deleted later. */
async function maskedReason(reason: string, where: DeploymentTarget): Promise<string> {
  const isSaid = nameSpellings(reason).map(
    (said) =>
      `instr(lower(${quoteSqlText(said)}), lower(replace(replace(replace(name, ' ', ''), char(160), ''), char(12288), ''))) > 0`,
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

/** Runs a query on each table that has personal data, and returns the results. */
async function ofEveryTable<T>(
  answers: z.ZodType<Record<string, T>>,
  select: (table: string, holding: PersonalTable) => string,
  where: DeploymentTarget,
): Promise<[table: string, answer: T][]> {
  const all: [table: string, answer: T][] = [];
  for (const database of DATABASES) {
    const own = holdings.filter(([, holding]) => (holding.database ?? 'DB') === database);
    const tables = own.map(([table, holding]) => `'${table}', (${select(table, holding)})`);
    const read = `SELECT json_object(${tables.join(', ')}) AS person`;
    const [row] = rowsSchema.parse(await applyChange({ database, write: [], read }, where));
    all.push(...Object.entries(answers.parse(JSON.parse(row.person))));
  }
  return all;
}

type ExportOptions = { reason: string; folder: string; include: string[]; where: DeploymentTarget };

/** Writes all rows about the person, the picture and the receipts into a file for this account only. */
async function exportPerson(
  word: string,
  { reason, folder, include, where }: ExportOptions,
): Promise<string> {
  const person = await findPerson(word, where);
  const { sure, candidates } = await findMentions(person, where);
  const more = { ...sure, ...selectedMentions(include, candidates) };
  const said = await maskedReason(reason, where);
  await applyChange({ write: logged(person, 'export', { reason: said }), read: 'SELECT 1' }, where);
  const rowsOf = (table: string, holding: PersonalTable) => {
    const columns = holding.exported.map((column) => `'${column}', ${column}`).join(', ');
    return `SELECT json_group_array(json_object(${columns})) FROM ${table} WHERE ${isOf(table, holding, person, more)}`;
  };
  const stored = Object.fromEntries(await ofEveryTable(exportSchema, rowsOf, where));
  const files = await withStore(where, async (store) => {
    const receipts = (stored['receipts'] ?? []).map(({ id }) => `receipts/${String(id)}`);
    const keys = [...(await picturesOf(person, store)), ...receipts];
    const objects = await Promise.all(keys.map((key) => store.readObject(key)));
    return objects
      .filter((object) => object !== undefined)
      .map(({ key, type, content }) => ({ key, type, base64: Buffer.from(content).toString('base64') }));
  });
  makeFolder(folder);
  const name = join(folder, `person-${new Date().toISOString().slice(0, 10)}-${person.found[0]?.id ?? ''}`);
  const file = withFileLock(name, () => {
    const free = newFile(name);
    createFile(free, `${JSON.stringify({ ...stored, files }, null, 2)}\n`);
    return free;
  });
  const counts = Object.entries(stored).filter(([, rows]) => rows.length > 0);
  const left = candidates.filter(({ table, id }) => !include.includes(`${table}:${id}`));
  return [
    ...counts.map(([table, rows]) => `${table}: ${rows.length}`),
    `files: ${files.length}`,
    ...(left.length === 0
      ? []
      : [
          'rows left out, because only the name occurs in them; --include <table:id> adds a row:',
          ...mentionCandidateLines(left),
        ]),
    printable(file),
  ].join('\n');
}

/** The first of the names `name.json`, `name-2.json` … that is not used yet. */
function newFile(name: string): string {
  for (let number = 1; ; number++) {
    const file = `${name}${number === 1 ? '' : `-${number}`}.json`;
    if (!existsSync(file)) return file;
  }
}

/** The text that confirms an erasure. It has only ids, because some names cannot be typed in a shell. */
const confirmationOf = ({ found }: FoundPerson) => found.map(({ kind, id }) => `${kind}-${id}`).join('+');

function erasing(word: string, person: FoundPerson, where: DeploymentTarget): string {
  const options = `--confirm=${confirmationOf(person)}${targetFlags(where)}`;
  return `npm run person -- erase ${options} ${word.startsWith('-') ? '-- ' : ''}${quoteForShell(word)}`;
}

/** Describes what is stored about the person. If `confirm` matches, erases it. */
async function erasePerson(
  word: string,
  confirm: string | undefined,
  where: DeploymentTarget,
): Promise<string> {
  const person = await findPerson(word, where);
  const { sure, candidates } = await findMentions(person, where);
  const countsOf = (table: string, holding: PersonalTable) => {
    const column = ENTRY_NUMBERS[table];
    const entries = column === undefined ? "json('[]')" : `json_group_array(DISTINCT ${column})`;
    return `SELECT json_object('count', count(*), 'entries', ${entries}) FROM ${table}
      WHERE ${isOf(table, holding, person, sure)}`;
  };
  const stored = await ofEveryTable(countsSchema, countsOf, where);
  const lines = stored
    .filter(([, { count }]) => count > 0)
    .map(([table, { count, entries }]) => {
      const numbers = entries.length === 0 ? '' : ` (entry ${entries.toSorted((a, b) => a - b).join(', ')})`;
      return `${table}: ${count}${numbers} ${fateOf(table)}`;
    });
  if (candidates.length > 0) {
    lines.push('kept rows with the name; check whose rows these are:', ...mentionCandidateLines(candidates));
  }
  if (confirm !== confirmationOf(person)) {
    const who = person.found.map(({ kind, id, name, email }) =>
      `${kind} ${printable(id)}: ${printable(name)} ${printable(email)}`.trim(),
    );
    throw new Error(
      [
        ...who,
        ...lines,
        'nothing was erased. To erase the data for good:',
        erasing(word, person, where),
      ].join('\n'),
    );
  }
  const erasures = holdings.flatMap(([table, { whose, erase }]) => {
    if (erase === 'delete') return [`DELETE FROM ${table} WHERE ${whose(person.sql)}`];
    return 'set' in erase ? [`UPDATE ${table} SET ${erase.set} WHERE ${whose(person.sql)}`] : [];
  });
  const write = [...logged(person, 'delete', {}), ...erasures];
  await applyChange({ write, read: 'SELECT 1', isSecret: true }, where);
  await withStore(where, async (store) => {
    for (const key of await picturesOf(person, store)) await store.deleteObject(key);
  });
  return [
    ...lines,
    'not erased: typed names in lists of dues, archives, and ADMIN_EMAILS. Check them yourself',
  ].join('\n');
}

function fateOf(table: string): string {
  const erase = holdings.find(([name]) => name === table)?.[1].erase;
  if (erase === 'delete') return 'removed';
  return erase && 'keep' in erase ? `kept: ${erase.keep}` : 'kept without the name';
}

/** The names of the person's stored pictures, with those from an interrupted upload. */
async function picturesOf({ found }: FoundPerson, store: Store): Promise<string[]> {
  const students = found.flatMap(({ kind, id }) => (kind === 'student' ? [id] : []));
  const isTheirs = (key: string) => students.some((id) => `${key}/`.startsWith(`pictures/${id}/`));
  return (await store.objectKeys()).filter(isTheirs);
}

/** Imports the modules only if they are needed: one loads wrangler, which takes a second. */
async function openStore(where: DeploymentTarget): Promise<Store> {
  if (where !== LOCAL) return await (await import('../backup/remote-store.ts')).openRemoteStore(where);
  const { openLocalStore } = await import('../backup/local-store.ts');
  return await openLocalStore(parseSettings(commandEnvSchema).DATA_DIR);
}

async function withStore<T>(where: DeploymentTarget, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(where);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const isWord = (word: string) => /^(?:[^\s@]+@[^\s@]+|[0-9A-Za-z-]{4,20})$/.test(word);

/** @throws UsageError naming the argument that is wrong, and why */
async function run({ words, values }: ParsedArgs<typeof HELP.options>): Promise<string> {
  const [action, word, ...more] = words;
  const where = deploymentTarget(values);
  if (action === undefined) throw new UsageError('say what to do: export, erase or grant');
  if (action !== 'export' && action !== 'erase')
    throw new UsageError(`there is no command ${printable(action)}: use export, erase or grant`);
  if (word === undefined) throw new UsageError('the person is missing: give an email or student number');
  if (!isWord(word)) throw new UsageError(`${printable(word)} is not an email address or student number`);
  refuseExtraArguments(more);
  const { reason, include = [], to, confirm } = values;
  if (action === 'erase') {
    if (reason !== undefined) throw new UsageError('--reason is only for export');
    if (include.length > 0) throw new UsageError('--include is only for export');
    return await erasePerson(word, confirm, where);
  }
  if (confirm !== undefined) throw new UsageError('--confirm is only for erase');
  const said = exportReasonSchema.safeParse(reason);
  if (!said.success)
    throw new UsageError(
      reason === undefined ? 'export needs --reason <text>' : '--reason needs 2 to 200 characters',
    );
  return await exportPerson(word, { reason: said.data, folder: to, include, where });
}

const exportOrErase = defineCommand(HELP, async (line) => {
  try {
    return await run(line);
  } catch (error) {
    if (error instanceof Error && error.message.includes('the last admin stays'))
      throw new Error('refused: this is the last admin; make somebody else an admin first', { cause: error });
    throw error;
  }
});

export const personCommand: Command = (args, its) =>
  args[0] === 'grant' ? grantCommand(args.slice(1), its) : exportOrErase(args, its);

if (import.meta.main) await runAsProgram(personCommand);
