import {
  groupOf,
  groupSchema,
  partsOf,
  plantIdSchema,
  plantNameSchema,
  plantOfTopic,
  plantTopic,
} from '#contract/plant-group';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(300, 10_000);

const nameArb = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 64, unit: 'binary' }),
    fc.string({ minLength: 1, maxLength: 64 }),
  )
  .filter((name) => plantNameSchema.safeParse(name).success);
const groupArb = fc
  .stringMatching(/^[a-z0-9-]{1,32}$/)
  .filter((group) => groupSchema.safeParse(group).success);
const idArb = fc
  .oneof(
    nameArb,
    fc.tuple(groupArb, nameArb).map((parts) => parts.join('/')),
  )
  .filter((id) => id.length <= 64);
const subjectArb = fc.constantFrom('soil_moisture' as const, 'availability' as const);
/** Texts that are nearly topics. */
const levelArb = fc.oneof(
  fc.constantFrom('lab', 'plants', 'bridges', 'fern', 'moss-lab', 'soil_moisture', 'availability', '', '+'),
  nameArb,
);
const topicArb = fc.oneof(
  fc.array(levelArb, { maxLength: 6 }).map((levels) => levels.join('/')),
  fc.tuple(idArb, subjectArb).map((of) => plantTopic(...of)),
);

describe('a plant of a group', () => {
  test('ING-16 every id comes back from its topic', () => {
    fc.assert(
      fc.property(idArb, subjectArb, (plant, subject) => {
        expect(plantIdSchema.safeParse(plant).success).toBe(true);
        expect(plantOfTopic(plantTopic(plant, subject))).toStrictEqual({ plant, subject });
      }),
      options,
    );
  });

  test('ING-16 an id is what its parts are, each by its own rule', () => {
    const partArb = fc.oneof(
      nameArb,
      groupArb,
      fc.constantFrom('', 'plants', 'bridges', 'A', '-a', 'a+', '\ud800', '\u202e'),
    );
    fc.assert(
      fc.property(fc.array(partArb, { minLength: 1, maxLength: 3 }), (parts) => {
        const [name = '', ...groups] = parts.toReversed();
        const isName = plantNameSchema.safeParse(name).success;
        const isGroup =
          groups.length === 0 || (groups.length === 1 && groupSchema.safeParse(groups[0]).success);
        const id = parts.join('/');
        expect(plantIdSchema.safeParse(id).success).toBe(isName && isGroup && id.length <= 64);
      }),
      options,
    );
  });

  test('ING-16 a text that is taken for a topic is the topic of its plant alone', () => {
    fc.assert(
      fc.property(topicArb, (topic) => {
        const found = plantOfTopic(topic);
        expect(found === undefined ? topic : plantTopic(found.plant, found.subject)).toBe(topic);
      }),
      options,
    );
  });

  test('ING-16 the topic of a plant without a group is what it has always been', () => {
    fc.assert(
      fc.property(nameArb, subjectArb, (name, subject) => {
        expect(plantTopic(name, subject)).toBe(`lab/plants/${name}/${subject}`);
        expect(groupOf(name)).toBe('');
      }),
      options,
    );
  });

  test('ING-16 two groups never share a plant', () => {
    expect(plantOfTopic('lab/moss-lab/plants/fern/soil_moisture')?.plant).toBe('moss-lab/fern');
    expect(plantOfTopic('lab/plants/fern/soil_moisture')?.plant).toBe('fern');
    expect(partsOf('moss-lab/fern')).toStrictEqual({ group: 'moss-lab', name: 'fern' });
    fc.assert(
      fc.property(idArb, idArb, (one, other) => {
        fc.pre(groupOf(one) !== groupOf(other));
        expect(plantTopic(one, 'soil_moisture')).not.toBe(plantTopic(other, 'soil_moisture'));
      }),
      options,
    );
  });

  test('ING-16 a topic of another depth, of a bridge or of a group that cannot be is no plant', () => {
    for (const topic of [
      'lab/bridges/pi/availability',
      'lab/bridges/plants/fern/availability',
      'lab/plants/plants/fern/soil_moisture',
      'lab/plants/moss-lab/fern/soil_moisture',
      'lab//plants/fern/soil_moisture',
      'lab/Moss/plants/fern/soil_moisture',
      'lab/moss-lab/plants/+/soil_moisture',
      'lab/a/b/plants/fern/soil_moisture',
      `lab/moss-lab/plants/${'f'.repeat(56)}/soil_moisture`,
    ]) {
      expect(plantOfTopic(topic), topic).toBeUndefined();
    }
    // What a removed plant is stored as.
    expect(plantIdSchema.safeParse('/12').success).toBe(false);
    expect(plantOfTopic(`lab/moss-lab/plants/${'f'.repeat(55)}/soil_moisture`)).toBeDefined();
  });
});
