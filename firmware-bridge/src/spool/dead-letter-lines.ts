import { visibleJson } from '#contract/visible-text';
import type { DeadLetterRow } from './dead-letters.ts';

export function textOf(payload: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    return null;
  }
}

export const iso = (instant: number) => new Date(instant).toISOString();

/** The whole letter as a line of JSON. */
export function exportedLine(letter: DeadLetterRow): string {
  const { id, receivedAt, topic, reason, payload, messages, readings, folded } = letter;
  const counts = { messages, readings };
  const text = textOf(payload);
  const content =
    text === null ? { payload_base64: Buffer.from(payload).toString('base64') } : { payload: text };
  return visibleJson({
    id,
    received_at: iso(receivedAt),
    topic,
    reason,
    ...counts,
    ...(folded === 1 ? { only_counted: true } : content),
  });
}
