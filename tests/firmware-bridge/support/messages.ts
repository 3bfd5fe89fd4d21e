import type { DecodedMessage, MqttMessage } from '../../../firmware-bridge/src/broker/decode.ts';

export const RECEIVED_AT = Date.UTC(2026, 2, 2, 3, 4, 5, 678);

export function message(payload: string | Uint8Array, changes: Partial<MqttMessage> = {}): MqttMessage {
  return {
    topic: 'lab/plants/fern/soil_moisture',
    payload: Buffer.from(payload),
    retained: false,
    receivedAt: RECEIVED_AT,
    ...changes,
  };
}

export function text({ deadLetter }: DecodedMessage): string | undefined {
  return deadLetter?.payload && Buffer.from(deadLetter.payload).toString();
}

export const bare = (soilMoisture: number) => ({
  plant: 'fern',
  datetime: RECEIVED_AT,
  soilMoisture,
  seq: null,
  undated: true,
  needsSeq: true,
});
