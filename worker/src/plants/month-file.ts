import { NO_SEQ } from '#contract/readings';
import { parquetMetadata, parquetRead, type FileMetaData, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

/* The Parquet file of a plant and month. */

/** A raw reading without its plant. Instants are milliseconds since 1970. */
export type MonthReading = {
  measured_at: number;
  seq: number;
  soil_moisture: number;
  received_at: number;
  /** What the board's clock said when it was implausible. */
  refused_time: number | null;
};

/** Readings of a group of rows, the least that is decoded. */
export const GROUP_READINGS = 10_000;

const instant = { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' } as const;
const SCHEMA: SchemaElement[] = [
  { name: 'reading', num_children: 5 },
  { name: 'measured_at', ...instant, repetition_type: 'REQUIRED' },
  // Empty where the board numbers nothing.
  { name: 'seq', type: 'INT64', repetition_type: 'OPTIONAL' },
  { name: 'soil_moisture', type: 'INT32', repetition_type: 'REQUIRED' },
  { name: 'received_at', ...instant, repetition_type: 'REQUIRED' },
  { name: 'refused_time', ...instant, repetition_type: 'OPTIONAL' },
];

/**
 * Writes readings, given in the order of `measured_at` and `seq`, into a file.
 * @param groups at most GROUP_READINGS each
 * @returns the file and the number of readings in it
 */
export async function writeMonthFile(
  groups: AsyncIterable<readonly MonthReading[]>,
): Promise<{ content: Uint8Array<ArrayBuffer>; readings: number }> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: SCHEMA, createdBy: 'cps-lab-portal' });
  let readings = 0;
  for await (const group of groups) {
    await file.write({ columnData: columnsOf(group), rowGroupSize: GROUP_READINGS });
    readings += group.length;
  }
  await file.finish();
  return { content: new Uint8Array(writer.getBuffer()), readings };
}

function columnsOf(group: readonly MonthReading[]) {
  const wide = (value: number | null) => (value === null ? null : BigInt(value));
  const data = {
    measured_at: group.map((reading) => wide(reading.measured_at)),
    seq: group.map(({ seq }) => (seq === NO_SEQ ? null : wide(seq))),
    soil_moisture: group.map((reading) => reading.soil_moisture),
    received_at: group.map((reading) => wide(reading.received_at)),
    refused_time: group.map((reading) => wide(reading.refused_time)),
  };
  return Object.entries(data).map(([name, values]) => ({
    name,
    data: values,
    encoding: 'DELTA_BINARY_PACKED' as const,
  }));
}

type Group = { from: number; to: number; firstRow: number; rows: number };

export class MonthFile {
  readonly #content: ArrayBuffer;
  readonly #metadata: FileMetaData;
  readonly #groups: Group[];

  /** @throws Error when it is no Parquet file */
  constructor(content: ArrayBuffer) {
    this.#content = content;
    this.#metadata = parquetMetadata(content, { parsers: { timestampFromMilliseconds: Number } });
    let firstRow = 0;
    this.#groups = this.#metadata.row_groups.map(({ num_rows, columns }) => {
      const { min_value: from, max_value: to } = columns[0]?.meta_data?.statistics ?? {};
      const group = { from: Number(from), to: Number(to), firstRow, rows: Number(num_rows) };
      firstRow += group.rows;
      return group;
    });
  }

  get readings(): number {
    return Number(this.#metadata.num_rows);
  }

  /** The readings measured in `from` (inclusive) to `to` (exclusive), oldest first, a group of rows at a time. */
  async *read(from: number, to: number): AsyncGenerator<MonthReading[], undefined> {
    for (const group of this.#groups) {
      if (group.to < from || group.from >= to) continue;
      const readings = await this.#decode(group);
      yield readings.filter(({ measured_at }) => measured_at >= from && measured_at < to);
    }
    return undefined;
  }

  async #decode({ firstRow, rows }: Group): Promise<MonthReading[]> {
    const content = this.#content;
    let decoded: MonthReading[] = [];
    await parquetRead({
      file: { byteLength: content.byteLength, slice: (start, end) => content.slice(start, end) },
      metadata: this.#metadata,
      rowStart: firstRow,
      rowEnd: firstRow + rows,
      parsers: { timestampFromMilliseconds: Number },
      onComplete: (found) => {
        decoded = found.map(([measured_at, seq, soil_moisture, received_at, refused_time]) => ({
          measured_at,
          seq: seq === null ? NO_SEQ : Number(seq),
          soil_moisture,
          received_at,
          refused_time,
        }));
      },
    });
    return decoded;
  }
}
