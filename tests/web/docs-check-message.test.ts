import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage } from '../../firmware-bridge/src/broker/decode.ts';
import { checkMessage } from '../../web/src/features/docs/check-message.ts';

/** What the bridge makes of the same message: how many readings it takes and how many it does not. */
function decoded(message: string) {
  const { readings, deadLetter } = decodeMessage({
    topic: 'lab/plants/fern/soil_moisture',
    payload: new TextEncoder().encode(message),
    retained: false,
    receivedAt: Date.UTC(2026, 2, 2),
  });
  return { taken: readings.length, refused: deadLetter?.count ?? 0 };
}

function judged(message: string) {
  const verdicts = checkMessage(message);
  const taken = verdicts.filter(({ isAccepted }) => isAccepted).length;
  return { taken, refused: verdicts.length - taken };
}

test('ING-3 NAV-9 the example of the protocol judges every message as the bridge does', () => {
  const scalar = fc.oneof(fc.integer({ min: -2, max: 1026 }), fc.double(), fc.string(), fc.boolean());
  const report = fc.record(
    {
      soil_moisture: scalar,
      datetime: fc.constantFrom('2026-03-02T14:05:00+09:00', '20260302T140500Z', '2026-03-02 14:05', '', 7),
      seq: scalar,
      temp: scalar,
    },
    { requiredKeys: [] },
  );
  const message = fc.oneof(
    fc.json(),
    fc.string(),
    fc.oneof(scalar, report, fc.array(report)).map((each) => JSON.stringify(each)),
  );
  fc.assert(
    fc.property(message, (text) => {
      expect(judged(text)).toEqual(decoded(text));
    }),
  );
});

test.each([
  ['512', '수분 50.0%, 받은 시각'],
  ['{"soil_moisture":0,"datetime":"2026-03-02T14:05:00+09:00"}', '수분 100.0%, 2026.03.02 14:05:00'],
  ['1024', '범위를 벗어났습니다.'],
  ['512.5', '정수가 아닙니다.'],
  ['{"soil_moisture":"512"}', '숫자가 아닙니다.'],
  ['true', '숫자가 아닙니다.'],
  ['{"soil_moisture":512,"temp":21}', '모르는 필드가 있습니다.'],
  ['{"soil_moisture":512,"datetime":"2026-03-02 14:05"}', 'datetime에 시간대가 없거나 받는 표기가 아닙니다.'],
  ['[]', '값이 없습니다.'],
  ['{', '정수도 JSON도 아닙니다.'],
])('NAV-9 it says of %s: %s', (message, text) => {
  expect(checkMessage(message).map((verdict) => verdict.text)).toEqual([text]);
});
