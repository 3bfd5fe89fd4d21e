import type * as z from 'zod';
import { measurementIssue, measurementSchema } from '#contract/board-message';
import { plantNameSchema } from '#contract/plants';
import { seqBelowMillisecond } from '#contract/readings';
import type { StampedBy } from './clock.ts';

/** A message as delivered by the broker. `receivedAt` is in milliseconds since 1970. */
export type Message = {
  topic: string;
  payload: Uint8Array;
  retained: boolean;
  receivedAt: number;
  /** Absent when it is no longer known. */
  stampedBy?: StampedBy;
  /** Absent for QoS 0, which is never redelivered. */
  delivery?: { packetId: number; repeated: boolean };
};

/** A reading to spool. Instants are milliseconds since 1970. */
type DecodedReading = {
  plant: string;
  datetime: number;
  soilMoisture: number;
  seq: number | null;
  /** The board sent no datetime, so it is the receipt time. */
  undated: boolean;
  /** The board sent neither datetime nor seq, so the spool must assign a seq to keep readings distinct. */
  needsSeq: boolean;
};

type DeadLetter = { payload: Uint8Array; reason: string };
export type Decoded = { readings: DecodedReading[]; deadLetters: DeadLetter[] };

export const topicOf = (plant: string) => `lab/plants/${plant}/soil_moisture`;
export const TOPIC_FILTER = topicOf('+');

/** Maximum payload in bytes that is parsed. */
export const PAYLOAD_MAX = 1024 * 1024;
/** Maximum number of readings in one message: more than a day at one every two seconds. */
export const ARRAY_MAX = 50_000;
const REASON_MAX = 200;

function reasonFor(report: unknown, error: z.ZodError): string {
  const issue = measurementIssue(report, error);
  const field = issue?.path.join('.') ?? '';
  return `${field === '' ? '' : `${field}: `}${issue?.message ?? 'not understood'}`.slice(0, REASON_MAX);
}

function decodeReport(plant: string, report: unknown, message: Message): DecodedReading | { reason: string } {
  const parsed = measurementSchema.safeParse(report);
  if (!parsed.success) return { reason: reasonFor(report, parsed.error) };
  const { soil_moisture: soilMoisture, datetime } = parsed.data;
  const seq = parsed.data.seq ?? (datetime === undefined ? undefined : seqBelowMillisecond(datetime));
  if (datetime === undefined && message.retained) {
    return { reason: 'retained without datetime: nobody knows when it was measured' };
  }
  return {
    plant,
    datetime: datetime === undefined ? message.receivedAt : Date.parse(datetime),
    soilMoisture,
    seq: seq ?? null,
    undated: datetime === undefined,
    needsSeq: datetime === undefined && seq === undefined,
  };
}

/** The element as a dead letter's payload; undefined when it is nested too deeply to serialise. */
function elementPayload(element: unknown): Uint8Array | undefined {
  try {
    return new TextEncoder().encode(JSON.stringify(element));
  } catch {
    return undefined;
  }
}

function parsePayload(payload: Uint8Array): { value: unknown } | { reason: string } {
  if (payload.byteLength > PAYLOAD_MAX) return { reason: `payload larger than ${PAYLOAD_MAX} bytes` };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    return { reason: 'payload is not UTF-8' };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { reason: 'payload is neither an integer nor JSON' };
  }
}

/**
 * Parses a soil-moisture message: an integer 0..1023, an object with optional datetime and seq, or an array of those.
 * Invalid elements are returned individually as dead letters. Never throws.
 */
export function decode(message: Message): Decoded {
  const whole = (reason: string): Decoded => ({
    readings: [],
    deadLetters: [{ payload: message.payload, reason }],
  });
  const [, topicPlant] = /^lab\/plants\/([^/]+)\/soil_moisture$/.exec(message.topic) ?? [];
  const plant = plantNameSchema.safeParse(topicPlant);
  if (!plant.success) return whole('topic names no plant');
  const parsed = parsePayload(message.payload);
  if ('reason' in parsed) return whole(parsed.reason);

  const { value } = parsed;
  if (!Array.isArray(value)) {
    const reading = decodeReport(plant.data, value, message);
    return 'reason' in reading ? whole(reading.reason) : { readings: [reading], deadLetters: [] };
  }
  if (value.length === 0) return whole('empty array');
  if (value.length > ARRAY_MAX) return whole(`more than ${ARRAY_MAX} readings in one message`);
  const decoded: Decoded = { readings: [], deadLetters: [] };
  for (const element of value) {
    const reading = decodeReport(plant.data, element, message);
    if ('reason' in reading) {
      const payload = elementPayload(element);
      if (payload === undefined) return whole('an element is nested too deeply');
      decoded.deadLetters.push({ payload, reason: reading.reason });
    } else {
      decoded.readings.push(reading);
    }
  }
  return decoded;
}
