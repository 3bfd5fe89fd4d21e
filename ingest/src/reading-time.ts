import { FIRST_READING } from '#contract/plants';
import { MINUTE_MS } from '#contract/time';
import { NO_SEQ, seqBelowMillisecond, type Reading } from '#contract/readings';
import type { Row } from './readings-data.ts';

/** How far ahead of a trusted clock, in milliseconds, another clock may be and still be believed. */
const TOLERANCE_MS = 5 * MINUTE_MS;

function believable(instant: number, trusted: number): boolean {
  return instant >= FIRST_READING && instant <= trusted + TOLERANCE_MS;
}

/**
 * Creates the rows of one batch, in order. An implausible board time is kept in `refused_time`, and `measured_at` holds
 * the receipt time instead. Board times are compared with the receipt time if the bridge got it from this worker's
 * clock, because a reading may have waited for days; otherwise with the worker's own clock, so that a bridge with a
 * slow clock cannot discredit a correct board. Duplicates within a batch are judged alike.
 * @param now the worker's clock
 */
export function rowsBy(now: number, stampedByServer: boolean): (reading: Reading) => Row {
  const judged = new Map<string, boolean>();
  const receiptTimeOf = receiptTimes();
  return (reading) => {
    const { plant, datetime } = reading;
    const seq = reading.seq ?? seqBelowMillisecond(datetime);
    const bridgeTime = Date.parse(reading.received_at);
    const receivedAt = believable(bridgeTime, now) ? bridgeTime : now;
    const boardTime = Date.parse(datetime);
    const words = `${boardTime} ${seq} ${plant}`;
    const refused = judged.get(words) ?? !believable(boardTime, stampedByServer ? receivedAt : now);
    judged.set(words, refused);
    const measuredAt = refused ? receiptTimeOf(receivedAt, `${seq ?? words} ${plant}`, boardTime) : boardTime;
    return rowFor({ ...reading, seq }, boardTime, receivedAt, { measuredAt, refused });
  };
}

/**
 * Assigns `measured_at` to readings whose board time was refused: the receipt time, or the next free millisecond,
 * because readings sent together share their receipt time and a board may give them all one number.
 */
function receiptTimes(): (receivedAt: number, name: string, boardTime: number) => number {
  const taken = new Map<string, number[]>();
  return (receivedAt, name, boardTime) => {
    const key = `${receivedAt} ${name}`;
    const there = taken.get(key) ?? [];
    if (!there.includes(boardTime)) taken.set(key, [...there, boardTime]);
    const place = there.indexOf(boardTime);
    return receivedAt + (place === -1 ? there.length : place);
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
    twin_seq: reading.seq ?? (refused ? NO_SEQ : boardTime),
  };
}
