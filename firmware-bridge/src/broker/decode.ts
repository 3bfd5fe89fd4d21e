import type * as z from 'zod';
import { measurementIssue, measurementSchema, seqBelowMillisecond } from '#contract/readings';
import { parsePlantTopic } from '#contract/plant-id';
import { EARLIEST_READING_TIME } from '#contract/plants';
import { MINUTE_MS } from '#contract/time';

/**
 * Which clock measured `receivedAt`: the server's or, while the server's time was unknown, this machine's. A
 * time by this machine is corrected with `uptime` once the server's time is known in the same `boot`.
 */
export type TimestampSource = 'server' | { boot: string; epoch: string; uptime: number };

/** A message that the broker has delivered. `receivedAt` is in milliseconds since 1970. */
export type MqttMessage = {
  topic: string;
  payload: Uint8Array;
  retained: boolean;
  receivedAt: number;
  /** Absent if nobody knows which clock measured the time. */
  stampedBy?: TimestampSource;
  /** Absent for QoS 0: the broker never sends such a message again. */
  delivery?: { packetId: number; repeated: boolean };
};

/** A reading to spool. Instants are milliseconds since 1970. */
type DecodedReading = {
  plant: string;
  datetime: number;
  soilMoisture: number;
  seq: number | null;
  /** The board sent no datetime, so `datetime` is the time of receipt. */
  undated: boolean;
  /** The board sent neither datetime nor seq, so the spool must assign a seq to distinguish readings. */
  needsSeq: boolean;
};

/** The part of a message that is not understood: `count` elements, or the whole message. */
type DeadLetter = { payload: Uint8Array; reason: string; count: number };
export type DecodedMessage = {
  readings: DecodedReading[];
  /** The greatest datetime of the message, only if it is in the future or before EARLIEST_READING_TIME. */
  newest?: number | undefined;
  deadLetter: DeadLetter | null;
};

/** A parsed message. Its elements, one for each reading, are not decoded yet. */
export type ParsedMessage = { plant: string; elements: readonly unknown[]; isArray: boolean };

/** A cache of parsed topics. Its size is limited, because anybody can send made-up topics. */
const plantsOfTopics = new Map<string, string | undefined>();
const TOPICS_KEPT = 10_000;

/** The plant, if the topic is for a plant's readings; undefined for any other topic. */
export function plantOfReadingTopic(topic: string): string | undefined {
  if (plantsOfTopics.has(topic)) return plantsOfTopics.get(topic);
  const of = parsePlantTopic(topic);
  const plant = of?.subject === 'soil_moisture' ? of.plant : undefined;
  if (plantsOfTopics.size >= TOPICS_KEPT) plantsOfTopics.clear();
  plantsOfTopics.set(topic, plant);
  return plant;
}

/** A payload with more bytes than this is not parsed. */
export const PAYLOAD_BYTES_MAX = 1024 * 1024;
/** Maximum number of readings in one message: enough for more than a day, with one every two seconds. */
export const READINGS_PER_MESSAGE_MAX = 50_000;
export const REASON_LENGTH_MAX = 200;
/** The command that replays dead letters recognizes retained messages by this reason. */
export const RETAINED_REASON = 'retained without datetime: nobody knows when it was measured';

function reasonFor(report: unknown, error: z.ZodError): string {
  const issue = measurementIssue(report, error);
  const field = issue?.path.join('.') ?? '';
  return `${field === '' ? '' : `${field}: `}${issue?.message ?? 'not understood'}`.slice(
    0,
    REASON_LENGTH_MAX,
  );
}

function decodeReport(
  plant: string,
  report: unknown,
  message: MqttMessage,
): DecodedReading | { reason: string } {
  const parsed = measurementSchema.safeParse(report);
  if (!parsed.success) return { reason: reasonFor(report, parsed.error) };
  const { soil_moisture: soilMoisture, datetime } = parsed.data;
  const seq = parsed.data.seq ?? (datetime === undefined ? undefined : seqBelowMillisecond(datetime));
  if (datetime === undefined && message.retained) {
    return { reason: RETAINED_REASON };
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

const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Encodes elements as a dead letter's payload. An element that is nested too deeply becomes null. */
export function elementsPayload(elements: readonly unknown[]): Uint8Array {
  try {
    return encoded(elements);
  } catch {
    return encoded(elements.map((element) => (isSerialisable(element) ? element : null)));
  }
}

function isSerialisable(element: unknown): boolean {
  try {
    JSON.stringify(element);
    return true;
  } catch {
    return false;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Removes what C strings and editors put around JSON: spaces, byte order marks, trailing zero bytes. */
function withoutRest(text: string): string {
  let end = text.length;
  while (end > 0 && '\0\ufeff \t\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replace(/^[\ufeff \t\r\n]+/, '');
}

function parsePayload(payload: Uint8Array): { value: unknown } | { reason: string } {
  if (payload.byteLength > PAYLOAD_BYTES_MAX)
    return { reason: `payload larger than ${PAYLOAD_BYTES_MAX} bytes` };
  let text: string;
  try {
    text = utf8.decode(payload);
  } catch {
    return { reason: 'payload is not UTF-8' };
  }
  try {
    return { value: JSON.parse(withoutRest(text)) };
  } catch {
    return { reason: 'payload is neither an integer nor JSON' };
  }
}

/** Parses a message and counts its elements. This takes far less time than decoding them. Never throws. */
export function parseMessage(message: MqttMessage): ParsedMessage | { reason: string; count: number } {
  const plant = plantOfReadingTopic(message.topic);
  if (plant === undefined) return { reason: 'the topic contains no plant', count: 1 };
  const parsed = parsePayload(message.payload);
  if ('reason' in parsed) return { ...parsed, count: 1 };

  const { value } = parsed;
  if (!Array.isArray(value)) return { plant, elements: [value], isArray: false };
  if (value.length === 0) return { reason: 'empty array', count: 1 };
  if (value.length > READINGS_PER_MESSAGE_MAX) {
    return { reason: `more than ${READINGS_PER_MESSAGE_MAX} readings in one message`, count: value.length };
  }
  return { plant, elements: value, isArray: true };
}

/** Decodes the elements from index `from` up to index `to` (exclusive). Never throws. */
export function decodeElements(
  { plant, elements }: ParsedMessage,
  message: MqttMessage,
  from = 0,
  to = elements.length,
): DecodedMessage {
  const readings: DecodedReading[] = [];
  const bad: unknown[] = [];
  let reason = '';
  for (const element of elements.slice(from, to)) {
    const reading = decodeReport(plant, element, message);
    if (!('reason' in reading)) {
      readings.push(reading);
      continue;
    }
    if (bad.length === 0 || reading.reason === RETAINED_REASON) reason = reading.reason;
    bad.push(element);
  }
  const newest = impossibleNewest(readings, elements, message);
  const all = { readings, ...(newest !== undefined && { newest }) };
  if (bad.length === 0) return { ...all, deadLetter: null };
  // If every element is invalid, the dead letter gets the payload exactly as it was received.
  const payload = bad.length === elements.length ? message.payload : elementsPayload(bad);
  return { ...all, deadLetter: { payload, reason, count: bad.length } };
}

/**
 * The greatest datetime of the whole message, if that datetime is impossible. Every part of a message must
 * get the same result, and `readings` may be only one part. So the first and the last element are read too.
 */
function impossibleNewest(
  readings: readonly DecodedReading[],
  elements: readonly unknown[],
  { receivedAt }: MqttMessage,
): number | undefined {
  const ends = [elements[0], elements.at(-1)].map((end) => measurementSchema.safeParse(end).data?.datetime);
  let newest = -Infinity;
  for (const end of ends) if (end !== undefined) newest = Math.max(newest, Date.parse(end));
  for (const { datetime, undated } of readings) if (!undated) newest = Math.max(newest, datetime);
  const isPast = newest >= EARLIEST_READING_TIME && newest <= receivedAt + MINUTE_MS;
  return isPast || newest === -Infinity ? undefined : newest;
}

/**
 * Decodes a soil-moisture message: an integer 0..1023, an object with optional datetime and seq, or an array
 * of such integers and objects. All invalid elements together make one dead letter. Never throws.
 */
export function decodeMessage(message: MqttMessage): DecodedMessage {
  const content = parseMessage(message);
  if (!('reason' in content)) return decodeElements(content, message);
  return { readings: [], deadLetter: { payload: message.payload, ...content } };
}
