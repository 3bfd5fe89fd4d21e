import {
  normalizePlantName,
  plantIdSchema,
  parsePlantTopic,
  plantTopic,
  TOPIC_SUBJECTS,
} from '#contract/plant-id';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(300, 10_000);

const idArb = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 64, unit: 'binary' }),
    fc.string({ minLength: 1, maxLength: 64 }),
  )
  .filter((id) => plantIdSchema.safeParse(id).success);
const subjectArb = fc.constantFrom(...TOPIC_SUBJECTS);
/** Texts that are nearly topics. */
const levelArb = fc.oneof(
  fc.constantFrom('lab', 'plants', 'bridges', 'fern', 'soil_moisture', 'availability', '', '+'),
  idArb,
);
const topicArb = fc.oneof(
  fc.array(levelArb, { maxLength: 6 }).map((levels) => levels.join('/')),
  fc.tuple(idArb, subjectArb).map((of) => plantTopic(...of)),
);

test('ING-1 every id of a plant comes back from its topic', () => {
  fc.assert(
    fc.property(idArb, subjectArb, (plant, subject) => {
      expect(plantTopic(plant, subject)).toBe(`lab/plants/${plant}/${subject}`);
      expect(parsePlantTopic(plantTopic(plant, subject))).toStrictEqual({ plant, subject });
    }),
    options,
  );
});

test('ING-1 a text that is taken for a topic is the topic of its plant alone', () => {
  fc.assert(
    fc.property(topicArb, (topic) => {
      const found = parsePlantTopic(topic);
      expect(found === undefined ? topic : plantTopic(found.plant, found.subject)).toBe(topic);
    }),
    options,
  );
});

test('ING-4 a topic of another depth, of a bridge or of a name that cannot be is no plant', () => {
  for (const topic of [
    'lab/bridges/pi/availability',
    'lab/bridges/plants/fern/availability',
    'lab/plants/moss/fern/soil_moisture',
    'lab/moss/plants/fern/soil_moisture',
    'lab//plants/fern/soil_moisture',
    'lab/plants//soil_moisture',
    'lab/plants/+/soil_moisture',
    `lab/plants/${'f'.repeat(65)}/soil_moisture`,
  ]) {
    expect(parsePlantTopic(topic), topic).toBeUndefined();
  }
  // What a removed plant is stored as.
  expect(plantIdSchema.safeParse('/12').success).toBe(false);
  expect(parsePlantTopic(`lab/plants/${'f'.repeat(64)}/soil_moisture`)).toBeDefined();
});

test.each([
  ['tom ', 'tom'],
  ['\u3000tom\u00a0', 'tom'],
  ['tom\u200b', 'tom'],
  ['t\u200dom', 'tom'],
  ['\ufefftom\ufeff', 'tom'],
  ['tom\u00ad', 'tom'],
  ['tom\u3164', 'tom'],
  ['t\u034fom', 'tom'],
  ['ｔｏｍ', 'tom'],
  ['basil\ufe0f', 'basil'],
  ['basil\u{e0101}', 'basil'],
  ['고무나무'.normalize('NFD'), '고무나무'],
  ['cafe\u0301', 'caf\u00e9'],
  ['창가  고사리', '창가 고사리'],
  ['🌱\ufe0f', '🌱'],
  ['☀\ufe0f', '☀\ufe0f'],
  ['👩\u200d🔬', '👩\u200d🔬'],
  ['화분①', '화분①'],
  ['\u200b \u3164', ''],
])('PLT-24 the name %j looks like %j and has its spelling', (name, clean) => {
  expect(normalizePlantName(name)).toBe(clean);
});

test('PLT-24 a clean name stays as it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        idArb,
        fc.string({
          unit: fc.constantFrom(
            'a',
            ' ',
            '\u200d',
            '\ufe0f',
            '🌱',
            '☀',
            'ﾎ',
            '\uff9e',
            '\uffa0',
            '\u1100',
            '\u1161',
            '\u0301',
            '\u3000',
          ),
        }),
      ),
      (name) => {
        const clean = normalizePlantName(name);
        expect(normalizePlantName(clean)).toBe(clean);
      },
    ),
    options,
  );
});

test('ING-8 the broker lets a board publish to its own topics, as the contract writes them', () => {
  const rights = readFileSync('firmware-bridge/mosquitto/acl', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('pattern'));
  expect(rights).toEqual(TOPIC_SUBJECTS.map((subject) => `pattern write ${plantTopic('%u', subject)}`));
});
