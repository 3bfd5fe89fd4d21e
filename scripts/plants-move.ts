import * as z from 'zod';

/*
 * The plants' way out of the database that held everything once (DB) into their own (PLANTS_DB). Each part can be begun
 * again at any time: what is there already is not copied twice, and nothing is dropped before all of it is counted there.
 */

/** The migration of DB that drops what has moved. It is applied last, when nothing asks for it there any more. */
export const AFTER_THE_MOVE = 'leave_the_plants_apart.sql';

/** One of the two databases. */
export type Side = {
  /** What each of the queries finds; of a deployed database a second call takes longer than a second query. */
  ask: (selects: string[]) => Promise<unknown[][]>;
  /** Runs all or none of the statements. */
  run: (statements: string[]) => Promise<void>;
};
type Sides = { from: Side; to: Side };

/** Rows that are read at once, slices that are written at once, and rows in a statement, which D1 limits to 100 KB. */
const SLICE = 20_000;
const SLICES_IN_RUN = 3;
const IN_STATEMENT = 400;
/** Their rows are longer, and few. */
const IN_STATEMENT_OF_SMALL = 8;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const identifier = (name: string) => `"${name}"`;
const list = (names: readonly string[]) => names.map(identifier).join(', ');

async function parsed<T>(schema: z.ZodType<T>, side: Side, select: string): Promise<T> {
  return schema.parse((await side.ask([select]))[0]);
}

const movedSchema = z.array(z.object({ isMoved: z.number() }));
/** Not when: a restored archive may hold any number there. */
const MOVED = 'SELECT moved_at IS NOT NULL AS isMoved FROM plants_move';
const namesSchema = z.array(z.object({ name: z.string() }));

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";

/** Which tables DB has, whether the move has begun, and whether it has ended; PLANTS_DB must be migrated. */
async function stateOf({
  from,
  to,
}: Sides): Promise<{ tables: string[]; isBegun: boolean; isMoved: boolean }> {
  const old = await parsed(namesSchema, from, TABLES);
  const [move] = await parsed(movedSchema, to, MOVED);
  return { tables: old.map(({ name }) => name), isBegun: move !== undefined, isMoved: move?.isMoved === 1 };
}

/** Whether DB still has plants that have not all moved. */
export async function isToMove(sides: Sides): Promise<boolean> {
  return isLeft(sides, await stateOf(sides));
}

async function isLeft({ from }: Sides, { tables, isBegun, isMoved }: Awaited<ReturnType<typeof stateOf>>) {
  if (!tables.includes('plants') || isMoved) return false;
  if (isBegun) return true;
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
  const state = await stateOf(sides);
  if (!(await isLeft(sides, state))) return false;
  const { to } = sides;
  if (state.isBegun) return true;
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
const columnsSchema = z.array(
  z.object({ place: z.string(), name: z.string(), type: z.string(), pk: z.number() }),
);
const COLUMNS = `SELECT tables.name AS place, info.name, info.type, pk FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS info
  WHERE tables.type = 'table' AND NOT tables.name GLOB 'sqlite_*' AND NOT tables.name GLOB '_cf_*' ORDER BY place, pk, cid`;

/** The tables that both have, with the columns that stand in DB. @throws Error when PLANTS_DB has no room for one of them */
async function tablesOf({ from, to }: Sides): Promise<Table[]> {
  const old = await parsed(columnsSchema, from, COLUMNS);
  const own = await parsed(columnsSchema, to, COLUMNS);
  const there = new Set(own.map(({ place, name }) => `${place}.${name}`));
  const names = new Set(own.map(({ place }) => place).filter((name) => !NOT_COPIED.has(name)));
  const columns = old.filter(({ place }) => names.has(place));
  const lost = columns.find(({ place, name }) => !there.has(`${place}.${name}`));
  if (lost)
    throw new Error(
      `PLANTS_DB has no column ${lost.place}.${lost.name}: an older version has to move the plants`,
    );
  return Object.entries(Object.groupBy(columns, ({ place }) => place)).map(([name, all = []]) => ({
    name,
    columns: all.map((column) => column.name),
    key: all.filter(({ pk }) => pk > 0).map((column) => column.name),
    sums: all
      .map((column) =>
        /^(INT|REAL)/i.test(column.type) ? identifier(column.name) : `length(${identifier(column.name)})`,
      )
      .map((value) => `total(${value})`)
      .join(` || ' ' || `),
  }));
}

const partsSchema = z.array(z.object({ texts: z.string(), rows: z.number(), last: z.string() }));
type Parts = z.output<typeof partsSchema>;

/** Asks for rows in parts, each with its last row. Numbers stay as SQLite writes them. */
const inParts = ({ columns, key }: Table, found: string, atOnce: number) =>
  `SELECT json_group_array(json(text)) AS texts, count(*) AS rows, text AS last, max(place) FROM (
     SELECT json_array(${list(columns)}) AS text, row_number() OVER (ORDER BY ${list(key)}) - 1 AS place FROM (${found}))
   GROUP BY place / ${atOnce} ORDER BY 4`;

const inserting = ({ name, columns }: Table, parts: Parts): string[] => {
  const values = columns.map((_, at) => `value ->> ${at}`).join(', ');
  return parts.map(
    ({ texts }) =>
      `INSERT OR REPLACE INTO ${name} (${list(columns)}) SELECT ${values} FROM json_each(${quoted(texts)})`,
  );
};

const whole = (table: Table) => inParts(table, `SELECT * FROM ${table.name}`, IN_STATEMENT_OF_SMALL);

/** Tables of few rows, whole and at once, those that others refer to first. */
async function copySmall({ from, to }: Sides, tables: readonly Table[]): Promise<void> {
  const plants = await parsed(z.array(z.unknown()), to, 'SELECT 1 FROM plants LIMIT 1');
  const found = await from.ask(tables.map(whole));
  await to.run(
    tables.flatMap((table, at) => {
      // A second run finds readings that refer to them.
      if (table.name === 'plants' && plants.length > 0) return [];
      return [`DELETE FROM ${table.name}`, ...inserting(table, partsSchema.parse(found[at]))];
    }),
  );
}

const lastSchema = z.array(z.object({ last: z.string() }));

/**
 * A table of many rows, slice by slice in the order of its key, from the highest key on that is there. Not two at once: two
 * wranglers may both renew the login, and one of them loses it.
 */
async function copyLarge({ from, to }: Sides, table: Table, say: (rows: number) => void): Promise<void> {
  const { name, key, columns } = table;
  const order = key.map((each) => `${identifier(each)} DESC`).join(', ');
  const newest = `SELECT json_array(${list(columns)}) AS last FROM ${name} ORDER BY ${order} LIMIT 1`;
  let [last] = await parsed(lastSchema, to, newest);
  let isMore = true;
  const slice = async (): Promise<Parts> => {
    if (!isMore) return [];
    const row = quoted(last?.last ?? '');
    const after = `WHERE (${list(key)}) > (${key.map((each) => `${row} ->> ${columns.indexOf(each)}`).join(', ')})`;
    const found = `SELECT * FROM ${name} ${last ? after : ''} ORDER BY ${list(key)} LIMIT ${SLICE}`;
    const parts = await parsed(partsSchema, from, inParts(table, found, IN_STATEMENT));
    last = parts.at(-1) ?? last;
    isMore = parts.reduce((sum, { rows }) => sum + rows, 0) === SLICE;
    return parts;
  };
  const read = async (): Promise<Parts> => {
    const parts: Parts = [];
    for (let slices = 0; slices < SLICES_IN_RUN; slices++) parts.push(...(await slice()));
    return parts;
  };
  let rows = 0;
  for (let parts = await read(); parts.length > 0; parts = await read()) {
    await to.run(inserting(table, parts));
    rows += parts.reduce((sum, part) => sum + part.rows, 0);
    say(rows);
  }
}

const countedSchema = z.tuple([z.object({ rows: z.number(), sums: z.string() })]);

/** Asks for its number of rows, and the sum of each column, of texts that of their lengths. */
const counting = ({ name, sums }: Table) => `SELECT count(*) AS rows, ${sums} AS sums FROM ${name}`;

/**
 * Says of each table how many rows it has.
 * @throws Error when the rows of one are not the same on both sides
 */
async function compare(
  { from, to }: Sides,
  tables: readonly Table[],
  say: (line: string) => void,
): Promise<void> {
  const selects = tables.map(counting);
  const [old, own] = [await from.ask(selects), await to.ask(selects)];
  for (const [at, { name }] of tables.entries()) {
    const [[before], [after]] = [countedSchema.parse(old[at]), countedSchema.parse(own[at])];
    if (before.rows !== after.rows || before.sums !== after.sums)
      throw new Error(
        `${name} has ${before.rows} rows in DB and ${after.rows} in PLANTS_DB, sums ${before.sums} and ${after.sums}: nothing was dropped, DB has all of it`,
      );
    say(`${name}: ${after.rows} rows, as in DB`);
  }
}

/** Of PLANTS_DB itself. */
const NOT_COPIED = new Set(['plant_log', 'plants_move', 'd1_migrations']);
/** Written last. */
const KEYS = 'bridge_keys';

/**
 * Moves the plants, unless they have moved. The keys of the bridges come last, in the transaction that says that all is there:
 * until then no bridge is let in.
 * @throws Error naming the table whose rows differ afterwards; then nothing is switched over
 */
export async function movePlants(sides: Sides, say: (line: string) => void): Promise<void> {
  if (!(await beginMove(sides))) return;
  const { from, to } = sides;
  const all = await tablesOf(sides);
  await freeze(
    from,
    all.map(({ name }) => name),
  );
  // What is referred to comes first.
  const tables = all
    .filter(({ name }) => name !== KEYS)
    .toSorted((a, b) => Number(b.name === 'plants') - Number(a.name === 'plants'));
  const [small, large] = [
    tables.filter(({ key }) => key.length <= 1),
    tables.filter(({ key }) => key.length > 1),
  ];
  await copySmall(sides, small);
  for (const table of large)
    await copyLarge(sides, table, (rows) => say(`${table.name}: ${rows} rows and more`));
  await compare(sides, tables, say);
  const keys = all.filter(({ name }) => name === KEYS);
  const found = (await from.ask(keys.map(whole))).map((parts) => partsSchema.parse(parts));
  const rows = found.flat().reduce((sum, part) => sum + part.rows, 0);
  await to.run([
    `DELETE FROM ${KEYS}`,
    ...keys.flatMap((table, at) => inserting(table, found[at] ?? [])),
    ...(await putBack(to)),
    `UPDATE plants_move SET moved_at = ${Date.now()}, triggers = NULL WHERE (SELECT count(*) FROM ${KEYS}) = ${rows}`,
  ]);
  await compare(sides, keys, say);
  if (await isToMove(sides)) throw new Error('the keys of the bridges did not arrive: begin again');
}

/** Tells DB that the plants have moved, for its migration that drops them. */
export async function allowDrop(sides: Sides): Promise<void> {
  const { tables, isMoved } = await stateOf(sides);
  if (!tables.includes('plants') || !isMoved) return;
  await sides.from.run([
    'CREATE TABLE IF NOT EXISTS plants_moved (at INTEGER NOT NULL) STRICT',
    `INSERT INTO plants_moved (at) VALUES (${Date.now()})`,
  ]);
}
