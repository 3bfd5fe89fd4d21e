import { EARLIEST_READING_TIME } from '#contract/plants';
import { DAY_MS, MINUTE_MS } from '#contract/time';
import { NO_SEQ, seqBelowMillisecond, type Reading } from '#contract/readings';
import type { ReadingRow } from './readings-data.ts';

/** A clock that is at most this many milliseconds ahead of a trusted clock is still believed. */
const TOLERANCE_MS = 5 * MINUTE_MS;
/** If a reading is this much older than the newest of its message, the board set its clock in between. */
const SET_SINCE_MS = 30 * DAY_MS;

function believable(instant: number, trusted: number): boolean {
  return instant >= EARLIEST_READING_TIME && instant <= trusted + TOLERANCE_MS;
}

/**
 * The latest board time in the message of a reading. The bridge sends this time only if it is impossible.
 * Bridges of 0.1.0 never send it: readings of one plant with the same receipt time count as one message.
 */
function newestTimes(batch: readonly Reading[]): (reading: Reading) => number {
  const seen = new Map<string, number>();
  const messageOf = ({ plant, received_at }: Reading) => `${received_at} ${plant}`;
  for (const reading of batch) {
    if (reading.newest !== undefined) continue;
    const key = messageOf(reading);
    seen.set(key, Math.max(seen.get(key) ?? -Infinity, Date.parse(reading.datetime)));
  }
  return (reading) => {
    const own = Date.parse(reading.datetime);
    const said = reading.newest === undefined ? seen.get(messageOf(reading)) : Date.parse(reading.newest);
    const newest = Math.max(own, said ?? own);
    return newest - own > SET_SINCE_MS ? own : newest;
  };
}

/**
 * Creates the rows of one batch, in order. All readings of a message have the same board clock. If the newest
 * board time is not believable, the newest reading gets the receipt time, the others keep their distance to
 * it, and `refused_time` has the board times. Board times are compared with the receipt time if it comes from
 * this worker's clock, because a reading may have waited for days. Otherwise they are compared with the
 * worker's clock, because the bridge's clock may be slow. Equal readings in a batch get the same result.
 * @param now the worker's clock
 */
export function createRowBuilder(
  now: number,
  stampedByServer: boolean,
  batch: readonly Reading[],
): (reading: Reading) => ReadingRow {
  const judged = new Map<string, boolean>();
  const newestOf = newestTimes(batch);
  const freeTime = freeTimes();
  return (reading) => {
    const { plant, datetime } = reading;
    const seq = reading.seq ?? seqBelowMillisecond(datetime);
    const bridgeTime = Date.parse(reading.received_at);
    const receivedAt = believable(bridgeTime, now) ? bridgeTime : now;
    const boardTime = Date.parse(datetime);
    const newest = newestOf(reading);
    const trusted = stampedByServer ? receivedAt : now;
    const words = `${boardTime} ${seq} ${plant}`;
    const refused = judged.get(words) ?? !(believable(newest, trusted) && believable(boardTime, trusted));
    judged.set(words, refused);
    const name = `${seq ?? words} ${plant}`;
    const measuredAt = refused ? freeTime(receivedAt - (newest - boardTime), name, boardTime) : boardTime;
    return rowFor({ ...reading, seq }, boardTime, receivedAt, { measuredAt, refused });
  };
}

/**
 * The first millisecond from `from` on that no other reading of the batch has: a board may give all its
 * readings the same seq.
 */
function freeTimes(): (from: number, name: string, boardTime: number) => number {
  const taken = new Map<string, number>();
  return (from, name, boardTime) => {
    let at = from;
    while ((taken.get(`${at} ${name}`) ?? boardTime) !== boardTime) at += 1;
    taken.set(`${at} ${name}`, boardTime);
    return at;
  };
}

function rowFor(
  reading: Omit<Reading, 'seq'> & { seq: number | undefined },
  boardTime: number,
  receivedAt: number,
  { measuredAt, refused }: { measuredAt: number; refused: boolean },
): ReadingRow {
  return {
    plant: reading.plant,
    measured_at: measuredAt,
    seq: reading.seq ?? (refused ? boardTime : NO_SEQ),
    soil_moisture: reading.soil_moisture,
    received_at: receivedAt,
    refused_time: refused ? boardTime : null,
    counterpart_seq: reading.seq ?? (refused ? NO_SEQ : boardTime),
  };
}
