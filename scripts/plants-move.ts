import * as z from 'zod';

/*
 * The plants' way out of the database that held everything once (DB) into their own (PLANTS_DB). Each part can be begun
 * again at any time: what is there already is not copied twice, and nothing is dropped before all of it is counted there.
 */

/** The migration of DB that drops what has moved. It is applied last, when nothing asks for it there any more. */
export const AFTER_THE_MOVE = 'leave_the_plants_apart.sql';

/** One of the two databases. */
export type Side = {
  rows: (select: string) => Promise<unknown[]>;
  /** Runs all or none of the statements. */
  run: (statements: string[]) => Promise<void>;
};
type Sides = { from: Side; to: Side };

/** Rows that are read at once, and rows in a statement, which D1 limits to 100 KB. */
const SLICE = 20_000;
const IN_STATEMENT = 400;
/** Their rows are longer, and few. */
const IN_STATEMENT_OF_SMALL = 8;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const identifier = (name: string) => `"${name}"`;
const list = (names: readonly string[]) => names.map(identifier).join(', ');

async function parsed<T>(schema: z.ZodType<T>, side: Side, select: string): Promise<T> {
  return schema.parse(await side.rows(select));
}

const movedSchema = z.array(z.object({ isMoved: z.number() }));
/** Not when: a restored archive may hold any number there. */
const MOVED = 'SELECT moved_at IS NOT NULL AS isMoved FROM plants_move';
const namesSchema = z.array(z.object({ name: z.string() }));

async function tablesOf(side: Side): Promise<string[]> {
  const select = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
  return (await parsed(namesSchema, side, select)).map(({ name }) => name);
}

/** Whether DB still has plants that have not all moved; PLANTS_DB must be migrated. */
export async function isToMove({ from, to }: Sides): Promise<boolean> {
  const tables = await tablesOf(from);
  if (!tables.includes('plants')) return false;
  const [move] = await parsed(movedSchema, to, MOVED);
  if (move !== undefined) return move.isMoved === 0;
  const has = ['plants', 'plant_retention', 'bridge_keys', 'bridge_heartbeats', 'refused_readings']
    .filter((table) => tables.includes(table))
    .map((table) => `EXISTS (SELECT 1 FROM ${table})`);
  const [row] = await parsed(z.array(z.object({ n: z.number() })), from, `SELECT ${has.join(' OR ')} AS n`);
  return row?.n === 1;
}

const triggersSchema = z.array(z.object({ name: z.string(), sql: z.string() }));

/**
 * Lets nothing but the move write PLANTS_DB: an ingest worker answers 503 from then on, and bridges wait. Its triggers are put
 * aside, because what comes has been counted already.
 * @returns whether there is something to move
 */
export async function beginMove(sides: Sides): Promise<boolean> {
  if (!(await isToMove(sides))) return false;
  const { to } = sides;
  if ((await to.rows('SELECT 1 FROM plants_move')).length > 0) return true;
  const triggers = await parsed(
    triggersSchema,
    to,
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name",
  );
  const kept = JSON.stringify(triggers.map(({ sql }) => sql));
  await to.run([
    `INSERT INTO plants_move (id, moved_at, triggers) VALUES (1, NULL, ${quoted(kept)})`,
    ...triggers.map(({ name }) => `DROP TRIGGER ${identifier(name)}`),
  ]);
  return true;
}

const keptSchema = z.tuple([z.object({ triggers: z.string() })]);

/** The statements that make the triggers again that were put aside. */
async function putBack(to: Side): Promise<string[]> {
  const [{ triggers }] = await parsed(keptSchema, to, 'SELECT triggers FROM plants_move');
  return z.array(z.string()).parse(JSON.parse(triggers));
}

/** What a writer of before is told, who may still run for a while. */
const FROZEN = 'the plants are moving to a database of their own';
export const FREEZING = 'plants_move_';

async function freeze(from: Side, tables: readonly string[]): Promise<void> {
  await from.run(
    tables.flatMap((table) =>
      ['INSERT', 'UPDATE', 'DELETE'].map(
        (change) =>
          `CREATE TRIGGER IF NOT EXISTS ${FREEZING}${table}_${change.toLowerCase()} BEFORE ${change} ON ${table} BEGIN SELECT RAISE(ABORT, '${FROZEN}'); END`,
      ),
    ),
  );
}

type Table = { name: string; columns: string[]; key: string[]; sums: string };
const columnsSchema = z.array(z.object({ name: z.string(), type: z.string(), pk: z.number() }));

/** A table with the columns that stand in DB. @throws Error when PLANTS_DB has no room for one of them */
async function tableOf({ from, to }: Sides, name: string): Promise<Table> {
  const select = `SELECT name, type, pk FROM pragma_table_info(${quoted(name)}) ORDER BY pk, cid`;
  const columns = await parsed(columnsSchema, from, select);
  const there = new Set((await parsed(columnsSchema, to, select)).map((column) => column.name));
  const lost = columns.find((column) => !there.has(column.name));
  if (lost)
    throw new Error(`PLANTS_DB has no column ${name}.${lost.name}: an older version has to move the plants`);
  return {
    name,
    columns: columns.map((column) => column.name),
    key: columns.filter(({ pk }) => pk > 0).map((column) => column.name),
    sums: columns
      .map((column) =>
        /^(INT|REAL)/i.test(column.type) ? identifier(column.name) : `length(${identifier(column.name)})`,
      )
      .map((value) => `total(${value})`)
      .join(` || ' ' || `),
  };
}

const textsSchema = z.array(z.object({ texts: z.string() }));

/** Statements that insert what a SELECT of DB finds, in its order. Numbers stay as SQLite writes them. */
async function inserting(
  from: Side,
  { name, columns, key }: Table,
  found: string,
  atOnce: number,
): Promise<string[]> {
  const order = `ORDER BY ${list(key)}`;
  const texts = await parsed(
    textsSchema,
    from,
    `SELECT json_group_array(json(text)) AS texts FROM (
       SELECT json_array(${list(columns)}) AS text, (row_number() OVER (${order}) - 1) / ${atOnce} AS part FROM (${found}))
     GROUP BY part ORDER BY part`,
  );
  const values = columns.map((_, at) => `value ->> ${at}`).join(', ');
  return texts.map(
    (row) =>
      `INSERT OR REPLACE INTO ${name} (${list(columns)}) SELECT ${values} FROM json_each(${quoted(row.texts)})`,
  );
}

/** A table of few rows, whole and at once. */
async function copySmall({ from, to }: Sides, table: Table): Promise<void> {
  const inserts = await inserting(from, table, `SELECT * FROM ${table.name}`, IN_STATEMENT_OF_SMALL);
  await to.run([`DELETE FROM ${table.name}`, ...inserts]);
}

const keySchema = z.array(z.object({ key: z.string() }));

/** A table of many rows, slice by slice in the order of its key, from the highest key on that is there. */
async function copyLarge({ from, to }: Sides, table: Table, say: (rows: number) => void): Promise<void> {
  const { name, key } = table;
  const newest = `SELECT json_array(${list(key)}) AS key FROM ${name} ORDER BY ${key.map((each) => `${identifier(each)} DESC`).join(', ')} LIMIT 1`;
  for (let slice = 1; ; slice++) {
    const [last] = await parsed(keySchema, to, newest);
    const after =
      last === undefined
        ? ''
        : `WHERE (${list(key)}) > (${key.map((_, at) => `${quoted(last.key)} ->> ${at}`).join(', ')})`;
    const found = `SELECT * FROM ${name} ${after} ORDER BY ${list(key)} LIMIT ${SLICE}`;
    const inserts = await inserting(from, table, found, IN_STATEMENT);
    if (inserts.length === 0) return;
    await to.run(inserts);
    say(slice * SLICE);
  }
}

const countedSchema = z.tuple([z.object({ rows: z.number(), sums: z.string() })]);

/** Its number of rows, and the sum of each column, of texts that of their lengths. */
async function counted(side: Side, { name, sums }: Table): Promise<{ rows: number; sums: string }> {
  const [row] = await parsed(countedSchema, side, `SELECT count(*) AS rows, ${sums} AS sums FROM ${name}`);
  return row;
}

/** @throws Error when the rows are not the same on both sides */
async function compare({ from, to }: Sides, table: Table): Promise<number> {
  const [before, after] = [await counted(from, table), await counted(to, table)];
  if (before.rows === after.rows && before.sums === after.sums) return after.rows;
  throw new Error(
    `${table.name} has ${before.rows} rows in DB and ${after.rows} in PLANTS_DB, sums ${before.sums} and ${after.sums}: nothing was dropped, DB has all of it`,
  );
}

/** Of PLANTS_DB itself, or written last. */
const NOT_COPIED = new Set(['plant_log', 'plants_move', 'd1_migrations', 'bridge_keys']);

/**
 * Moves the plants, unless they have moved. The keys of the bridges come last, in the transaction that says that all is there:
 * until then no bridge is let in.
 * @throws Error naming the table whose rows differ afterwards; then nothing is switched over
 */
export async function movePlants(sides: Sides, say: (line: string) => void): Promise<void> {
  if (!(await beginMove(sides))) return;
  const { from, to } = sides;
  const [old, own] = [await tablesOf(from), await tablesOf(to)];
  const names = own.filter((name) => old.includes(name) && !/^(sqlite_|_cf_)/.test(name));
  // What is referred to comes first.
  const order = ['plants', ...names.filter((name) => name !== 'plants' && !NOT_COPIED.has(name))];
  await freeze(from, [...order, 'bridge_keys']);
  const tables = [];
  for (const name of order) tables.push(await tableOf(sides, name));
  for (const table of tables) {
    if (table.key.length > 1)
      await copyLarge(sides, table, (rows) => say(`${table.name}: ${rows} rows and more`));
    // A second run finds readings that refer to them.
    else if (table.name !== 'plants' || (await counted(to, table)).rows === 0) await copySmall(sides, table);
  }
  for (const table of tables) say(`${table.name}: ${await compare(sides, table)} rows, as in DB`);
  const keys = await tableOf(sides, 'bridge_keys');
  const { rows } = await counted(from, keys);
  await to.run([
    'DELETE FROM bridge_keys',
    ...(await inserting(from, keys, 'SELECT * FROM bridge_keys', IN_STATEMENT_OF_SMALL)),
    ...(await putBack(to)),
    `UPDATE plants_move SET moved_at = ${Date.now()}, triggers = NULL WHERE (SELECT count(*) FROM bridge_keys) = ${rows}`,
  ]);
  say(`bridge_keys: ${await compare(sides, keys)} rows, as in DB`);
  if (await isToMove(sides)) throw new Error('the keys of the bridges did not arrive: begin again');
}

/** Tells DB that the plants have moved, for its migration that drops them. */
export async function allowDrop({ from, to }: Sides): Promise<void> {
  const tables = await tablesOf(from);
  const [move] = await parsed(movedSchema, to, MOVED);
  if (!tables.includes('plants') || move?.isMoved !== 1) return;
  await from.run([
    'CREATE TABLE IF NOT EXISTS plants_moved (at INTEGER NOT NULL) STRICT',
    `INSERT INTO plants_moved (at) VALUES (${Date.now()})`,
  ]);
}
