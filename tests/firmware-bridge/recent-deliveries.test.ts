import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MqttMessage } from '../../firmware-bridge/src/broker/decode.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { propertyRuns } from '../support/counts.ts';
import { freshFolder } from './support/processes.ts';

type Sent = { packetId: number; value: number; repeated: boolean };

const topic = 'lab/plants/fern/soil_moisture';
const messageFrom = ({ packetId, value, repeated }: Sent): MqttMessage => ({
  topic,
  payload: Buffer.from(String(value)),
  retained: false,
  receivedAt: Date.UTC(2026, 2, 2),
  delivery: { packetId, repeated },
});

const sent = fc.record({
  packetId: fc.constantFrom(1, 2, 0x1234, 65_535),
  value: fc.integer({ min: 1, max: 2 }),
  repeated: fc.boolean(),
});
const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(sent, { minLength: 1, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom('restart', 'failure') },
);

function* andThenTheDiskFails(): Generator<MqttMessage> {
  yield messageFrom({ packetId: 1, value: 1, repeated: false });
  throw new Error('the disk');
}

test('ING-3 a message is a repetition when it was the last with its packet id, whatever groups they came in', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      const file = join(freshFolder(), 'spool.sqlite');
      let spool = openSpool(file);
      const last = new Map<number, number>();
      const outcomeOf = ({ packetId, value, repeated }: Sent) => {
        if (repeated && last.get(packetId) === value) return 'repeat';
        last.set(packetId, value);
        return 'kept';
      };
      const outcomes = steps.map((group) => {
        if (group === 'restart') {
          spool.close();
          spool = openSpool(file);
          return { told: group, expected: group };
        }
        if (group !== 'failure') {
          return { told: spool.commit(group.map(messageFrom)).outcomes, expected: group.map(outcomeOf) };
        }
        try {
          return { told: spool.commit(andThenTheDiskFails()).outcomes, expected: 'failure' };
        } catch (error) {
          return { told: String(error), expected: 'Error: the disk' };
        }
      });
      spool.close();
      expect(outcomes.map(({ told }) => told)).toEqual(outcomes.map(({ expected }) => expected));
    }),
    propertyRuns(30, 1000),
  );
});
