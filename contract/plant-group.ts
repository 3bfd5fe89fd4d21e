import * as z from 'zod';

/*
 * A plant is identified by its group and its name: `group/name`, or the name alone in the laboratory's own group, which
 * is called by the empty text. A name has no slash, so an id means one plant.
 */

const GROUP = '[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?';
const NAME = String.raw`[^\p{Cc}\p{Bidi_Control}/+#]+`;
/** Levels of the laboratory's own topics. */
const isReserved = (group: string) => group === 'plants' || group === 'bridges';

/** What a plant is called within its group: one level of an MQTT topic. */
export const plantNameSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(
    new RegExp(`^${NAME}$`, 'u'),
    'a plant name has no control or bidirectional character, slash, plus or hash',
  )
  // A lone surrogate has no UTF-8 encoding, so the database would store a different name.
  .refine((name) => name.isWellFormed(), 'not well-formed Unicode');

/** A group: a level of MQTT topics and part of addresses. */
export const groupSchema = z
  .string()
  .regex(new RegExp(`^${GROUP}$`), 'must be 1 to 32 of a-z 0-9 -, with no dash at either end')
  .refine((group) => !isReserved(group), 'must not be plants or bridges');

/** The group of the plants whose topics name none. */
export const OWN_GROUP = '';

/** A group in a query. */
export const askedGroupSchema = z.union([z.literal(OWN_GROUP), groupSchema]);

/**
 * Instead of a group, of a bridge and its keys: every group, the laboratory's own among them. It is MQTT's sign for any one
 * level, and no group's name.
 */
export const EVERY_GROUP = '+';

/** What a bridge and its keys may be of: a group, or every one. */
export const bridgeGroupSchema = z.union([z.literal([OWN_GROUP, EVERY_GROUP]), groupSchema]);

/** Splits an id, without checking its parts. */
export function partsOf(id: string): { group: string; name: string } {
  const slash = id.indexOf('/');
  return { group: slash === -1 ? OWN_GROUP : id.slice(0, slash), name: id.slice(slash + 1) };
}

/** The id of a plant, or its name with its group: the opposite of `partsOf`. */
export const inGroup = (group: string, name: string) => (group === OWN_GROUP ? name : `${group}/${name}`);

export const groupOf = (id: string) => partsOf(id).group;

/** Whether a bridge or a key of that group, or of every one, may speak for a plant. */
export const isWithin = (group: string, id: string) => group === EVERY_GROUP || groupOf(id) === group;

/** What a plant is called where all are of the group; where any may be, with its group. */
export const nameWithin = (group: string | undefined, name: string) =>
  group === undefined ? name : partsOf(name).name;

/** Ids by their groups. */
export const byGroup = (ids: readonly string[]): ReadonlyMap<string, string[]> => Map.groupBy(ids, groupOf);

const ID = new RegExp(`^(?:${GROUP}/)?${NAME}$`, 'u');

/**
 * A plant's id, no longer than a name alone may be: columns, bodies and queue messages are measured by that. It says the same as
 * the schemas of its parts, in one step, because each reading names one.
 */
export const plantIdSchema = z
  .string()
  .max(64)
  .refine(
    (id) => ID.test(id) && id.isWellFormed() && !isReserved(groupOf(id)),
    'neither a name of a plant nor group/name',
  );

/**
 * What people call a plant that there is, with its group before it as in an id. Ingest puts a `#` into the name of a plant
 * whose topic is the name of another one, so that nobody can choose that name.
 */
export const givenNameSchema = z
  .string()
  .min(1)
  .max(80)
  .regex(new RegExp(`^(?:${GROUP}/)?[^\\p{Cc}\\p{Bidi_Control}/+]+$`, 'u'));

/** What a board speaks about: the last level of its topics. */
export type Subject = 'soil_moisture' | 'availability';

/** The topic of a plant. */
export function plantTopic(id: string, subject: Subject): string {
  const { group, name } = partsOf(id);
  return `lab/${group === OWN_GROUP ? '' : `${group}/`}plants/${name}/${subject}`;
}

/** The filters of all topics of a group's plants, or of every group's. */
export const groupFilters = (group: string, subject: Subject): string[] =>
  (group === EVERY_GROUP ? [OWN_GROUP, EVERY_GROUP] : [group]).map((each) =>
    plantTopic(inGroup(each, '+'), subject),
  );

const TOPIC = /^lab\/(?:(?<group>[^/]+)\/)?plants\/(?<name>[^/]+)\/(?<subject>soil_moisture|availability)$/;

/** The plant and subject of a topic; undefined when it is no plant's. The opposite of `plantTopic`. */
export function plantOfTopic(topic: string): { plant: string; subject: Subject } | undefined {
  const { group, name, subject } = TOPIC.exec(topic)?.groups ?? {};
  if (subject !== 'soil_moisture' && subject !== 'availability') return undefined;
  const plant = plantIdSchema.safeParse(name === undefined ? name : inGroup(group ?? OWN_GROUP, name));
  return plant.success ? { plant: plant.data, subject } : undefined;
}
