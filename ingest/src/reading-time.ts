import { FIRST_READING } from '#contract/plants';
import { DAY_MS, MINUTE_MS } from '#contract/time';
import { NO_SEQ, seqBelowMillisecond, type Reading } from '#contract/readings';
import type { Row } from './readings-data.ts';

/** How far ahead of a trusted clock, in milliseconds, another clock may be and still be believed. */
const TOLERANCE_MS = 5 * MINUTE_MS;
/** What was measured longer before the newest of its message has its time by another clock, one that was not set yet. */
const SET_SINCE_MS = 30 * DAY_MS;

function believable(instant: number, trusted: number): boolean {
  return instant >= FIRST_READING && instant <= trusted + TOLERANCE_MS;
}

/**
 * The greatest board time of each reading's message. The bridge says it where it cannot be right. Bridges of 0.1.0 say none:
 * what came of a plant in one instant is one message.
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
 * Creates the rows of one batch, in order. A message has one clock, that of its newest reading: where that is not
 * believed, the newest was measured when it was received, the others as long before as the board says, and each keeps its
 * board time in `refused_time`. Board times are compared with the receipt time if the bridge got it from this worker's
 * clock, because a reading may have waited for days; otherwise with the worker's own clock, so that a bridge with a
 * slow clock cannot discredit a correct board. Duplicates within a batch are judged alike.
 * @param now the worker's clock
 */
export function rowsBy(
  now: number,
  stampedByServer: boolean,
  batch: readonly Reading[],
): (reading: Reading) => Row {
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
 * The first millisecond from `from` on that no other reading of the batch has taken: a board may give all of them one
 * number.
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
): Row {
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
