import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { calibrationOf, moisturePercent } from '#contract/moisture/percent';
import { plantIdSchema } from '#contract/plant-id';
import type { ListedPlant } from '#contract/readings';
import { decodeMessage } from '../../firmware-bridge/src/broker/decode.ts';
import {
  discoveryPayload,
  discoveryTopic,
  plantOfDiscoveryTopic,
} from '../../firmware-bridge/src/home-assistant/device.ts';
import { propertyRuns } from '../support/counts.ts';
import { deviceFrom, hasJinja, statesOf } from './support/home-assistant.ts';
import { message } from './support/messages.ts';

const fern: ListedPlant = { plant: 'fern', name: 'fern', dry: null, wet: null, stale_after_minutes: 60 };

const nameArb = fc
  .string({
    unit: fc.constantFrom('a', 'Z', '7', '-', '_', ' ', '.', '~', '{', '"', '가', '🌿', 'é'),
    minLength: 1,
  })
  .filter((name) => plantIdSchema.safeParse(name).success);

describe('the topic of a board', () => {
  test.each([
    ['fern', 'homeassistant/device/cps-lab-fern/config'],
    ['bed-2', 'homeassistant/device/cps-lab-bed-2/config'],
    ['bed_2', 'homeassistant/device/cps-lab-bed_5f2/config'],
    ['고사리', 'homeassistant/device/cps-lab-_ea_b3_a0_ec_82_ac_eb_a6_ac/config'],
  ])('ING-10 of %s is %s', (plant, topic) => {
    expect(discoveryTopic(plant)).toBe(topic);
  });

  test('ING-10 is one that Home Assistant takes, and leads back to the plant, whatever its name', () => {
    fc.assert(
      fc.property(nameArb, (plant) => {
        const topic = discoveryTopic(plant);
        expect(topic).toMatch(/^homeassistant\/device\/[a-zA-Z0-9_-]+\/config$/);
        expect(plantOfDiscoveryTopic(topic)).toBe(plant);
      }),
      propertyRuns(),
    );
  });

  test.each([
    ['homeassistant/device/zigbee-plug/config', null],
    ['homeassistant/device/cps-lab-/config', null],
    ['homeassistant/device/cps-lab-_zz/config', null],
    ['homeassistant/device/cps-lab-_61/config', null],
    ['homeassistant/device/cps-lab-_ff/config', null],
    ['homeassistant/device/cps-lab-고사리/config', null],
    ['homeassistant/sensor/cps-lab-fern/config', undefined],
    ['lab/plants/fern/soil_moisture', undefined],
  ])('ING-10 %s is none of ours', (topic, plant) => {
    expect(plantOfDiscoveryTopic(topic)).toBe(plant);
  });
});

describe('what Home Assistant makes of it', () => {
  test('ING-10 is a device with one sensor of moisture in percent, under the name that people call the plant by', () => {
    const plant = { ...fern, plant: '화분 3', name: '창가 "고사리" {{ 1 }}', stale_after_minutes: 15 };
    expect(deviceFrom(discoveryTopic(plant.plant), discoveryPayload(plant, true))).toEqual({
      id: 'cps-lab-_ed_99_94_eb_b6_84_203',
      name: '창가 "고사리" {{ 1 }}',
      model: '토양 수분 보드',
      sensors: [
        {
          platform: 'sensor',
          unique_id: 'cps-lab-_ed_99_94_eb_b6_84_203-moisture',
          device_class: 'moisture',
          state_class: 'measurement',
          unit_of_measurement: '%',
          suggested_display_precision: 1,
          expire_after: 900,
          value_template: expect.stringContaining('value_json'),
          state_topic: 'lab/plants/화분 3/soil_moisture',
          availability_mode: 'latest',
          availability: [
            { topic: 'lab/plants/화분 3/availability' },
            { topic: 'lab/plants/화분 3/soil_moisture', value_template: 'online' },
          ],
        },
      ],
    });
  });

  test('ING-10 PLT-24 is available as its board says or as it sends, whichever was last, or, of a board that never says so, while it sends', () => {
    const { sensors } = deviceFrom(discoveryTopic('fern'), discoveryPayload(fern, false));
    expect(sensors[0]).not.toHaveProperty('availability');
    expect(sensors[0]).toHaveProperty('expire_after', 3600);
  });

  test('ING-10 keeps its id when the plant gets another name or a calibration', () => {
    const before = deviceFrom(discoveryTopic('fern'), discoveryPayload(fern, true));
    const after = deviceFrom(
      discoveryTopic('fern'),
      discoveryPayload({ ...fern, name: '고사리', dry: 800, wet: 300 }, true),
    );
    expect(after.id).toBe(before.id);
    expect(after.sensors[0]?.unique_id).toBe(before.sensors[0]?.unique_id);
  });

  test('ING-10 is the same for every name that a plant may have', () => {
    fc.assert(
      fc.property(nameArb, nameArb, (plant, name) => {
        const device = deviceFrom(discoveryTopic(plant), discoveryPayload({ ...fern, plant, name }, true));
        expect(device.name).toBe(name);
      }),
      propertyRuns(),
    );
  });
});

const templateFor = (dry: number | null, wet: number | null) =>
  deviceFrom(discoveryTopic('fern'), discoveryPayload({ ...fern, dry, wet }, true)).sensors[0]
    ?.value_template ?? '';

const recordedSchema = z.object({
  plants: z.array(
    z.object({
      dry: z.int().nullable(),
      wet: z.int().nullable(),
      template: z.string(),
      states: z.array(z.tuple([z.string(), z.string()])),
    }),
  ),
});
const recorded = recordedSchema.parse(
  JSON.parse(readFileSync('tests/firmware-bridge/support/home-assistant-states.json', 'utf8')),
).plants;

/** The percent that the portal shows after the message; empty if no reading is stored. */
function percentAfter(payload: string, dry: number | null, wet: number | null): number | '' {
  const { readings } = decodeMessage(message(payload));
  // Readings without a datetime were measured now.
  const newest =
    readings.findLast(({ undated }) => undated) ??
    readings.toSorted((a, b) => b.datetime - a.datetime || (b.seq ?? 0) - (a.seq ?? 0))[0];
  return newest === undefined ? '' : moisturePercent(newest.soilMoisture, calibrationOf({ dry, wet }));
}

const asPercent = (state: string) => (state === '' ? '' : Number(state));

describe('the percent in Home Assistant', () => {
  test.each(recorded)(
    'ING-10 PLT-12 is that of the portal, as rendered for a plant with dry $dry and wet $wet',
    ({ dry, wet, template, states }) => {
      expect(templateFor(dry, wet)).toBe(template);
      for (const [payload, state] of states) {
        expect(asPercent(state), payload).toBe(percentAfter(payload, dry, wet));
      }
    },
  );

  test.skipIf(!hasJinja)(
    `ING-10 PLT-12 is that of the portal for every message and calibration${hasJinja ? '' : ' (skipped: no Jinja here)'}`,
    () => {
      for (const { template, states } of recorded) {
        const rendered = statesOf(
          template,
          states.map(([payload]) => payload),
        );
        expect(rendered).toEqual(states.map(([, state]) => state));
      }
      const rawArb = fc.oneof(
        fc.integer({ min: -1, max: 1024 }),
        fc.constantFrom(0.5, null, true, '512', 1e300),
      );
      const two = (most: number) => fc.nat(most).map((value) => String(value).padStart(2, '0'));
      const datetimeArb = fc
        .tuple(
          fc.constantFrom('0000', '1900', '2000', '2024', '2026', '2100', '026'),
          fc.constantFrom('-', '-', ''),
          fc.oneof(two(13), fc.constantFrom('02', '03')),
          fc.oneof(two(32), fc.constantFrom('28', '29', '30')),
          fc.constantFrom('T', 't', ' ', '_'),
          fc.oneof(two(24), fc.constant('14')),
          fc.constantFrom(':', ':', ''),
          fc.oneof(two(60), fc.constant('05')),
          fc.constantFrom('', ':00', ':59', '30', ':00.1239', ',5', ':07,123456789123', ':60'),
          fc.constantFrom('Z', 'z', '+09:00', '-0330', '+09', '', '+24:00', '-09:60', 'Z\n', ' Z'),
        )
        .map(([year, dash, month, day, between, hour, colon, minute, rest, zone]) =>
          [year, dash, month, dash, day, between, hour, colon, minute, rest, zone].join(''),
        );
      const whenArb = fc.oneof(
        { weight: 6, arbitrary: datetimeArb },
        {
          weight: 6,
          arbitrary: fc
            .date({ min: new Date('2026-03-01'), max: new Date('2026-03-02'), noInvalidDate: true })
            .map((date) => date.toISOString()),
        },
        { weight: 3, arbitrary: fc.constantFrom('2026-03-01T00:00:00Z', '2026-03-01T09:00+09') },
        { weight: 1, arbitrary: fc.constantFrom(null, 1772323200, '', '٢٠٢٦-03-02T14:05:00Z') },
      );
      const seqArb = fc.oneof(
        fc.nat(3),
        fc.integer(),
        fc.constantFrom(null, 0.5, '7', true, 2 ** 53, -(2 ** 53)),
      );
      const elementArb = fc.oneof(
        rawArb,
        fc.record({ soil_moisture: rawArb, seq: seqArb }, { requiredKeys: [] }),
        fc.record({ soil_moisture: fc.nat(1023), datetime: whenArb }),
        fc.record(
          {
            soil_moisture: fc.nat(1023),
            datetime: whenArb,
            seq: fc.oneof(fc.nat(3), seqArb),
            temp: fc.nat(),
          },
          { requiredKeys: ['soil_moisture', 'datetime'] },
        ),
      );
      const payloadArb = fc
        .oneof(
          elementArb,
          fc.array(elementArb),
          fc.array(fc.record({ soil_moisture: fc.nat(1023), datetime: whenArb })),
        )
        .map((sent) => JSON.stringify(sent));
      const calibrationArb = fc
        .tuple(fc.nat(1023), fc.nat(1023))
        .map(([a, b]) => (a === b ? { dry: null, wet: null } : { dry: Math.max(a, b), wet: Math.min(a, b) }));
      fc.assert(
        fc.property(
          calibrationArb,
          fc.array(payloadArb, { minLength: 200, maxLength: 300 }),
          ({ dry, wet }, payloads) => {
            expect(statesOf(templateFor(dry, wet), payloads).map(asPercent)).toEqual(
              payloads.map((payload) => percentAfter(payload, dry, wet)),
            );
          },
        ),
        propertyRuns(3, 50),
      );
    },
  );
});
