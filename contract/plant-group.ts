import * as z from 'zod';
import { plantNameSchema } from './plants.ts';

/*
 * A plant is identified by its group and its name: `group/name`, or the name alone in the laboratory's own group, which
 * is called by the empty text. A name has no slash, so an id means one plant.
 */

/** A group: a level of MQTT topics and part of addresses. `plants` and `bridges` are levels of the laboratory's own topics. */
export const groupSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'must be 1 to 32 of a-z 0-9 -, with no dash at either end')
  .refine((group) => group !== 'plants' && group !== 'bridges', 'must not be plants or bridges');

/** The group of the plants whose topics name none. */
export const OWN_GROUP = '';

/** Splits an id, without checking its parts. */
export function partsOf(id: string): { group: string; name: string } {
  const slash = id.indexOf('/');
  return { group: slash === -1 ? OWN_GROUP : id.slice(0, slash), name: id.slice(slash + 1) };
}

export const groupOf = (id: string) => partsOf(id).group;

/** A plant's id, no longer than a name alone may be: columns, bodies and queue messages are measured by that. */
export const plantIdSchema = z
  .string()
  .max(64)
  .refine((id) => {
    const { group, name } = partsOf(id);
    const isGroup = id.includes('/') ? groupSchema.safeParse(group).success : true;
    return isGroup && plantNameSchema.safeParse(name).success;
  }, 'neither a name of a plant nor group/name');

/** What a board speaks about: the last level of its topics. */
export type Subject = 'soil_moisture' | 'availability';

/** The topic of a plant, or with `+` for the name the filter of a group. */
export function plantTopic(id: string, subject: Subject): string {
  const { group, name } = partsOf(id);
  return `lab/${group === OWN_GROUP ? '' : `${group}/`}plants/${name}/${subject}`;
}

const TOPIC = /^lab\/(?:(?<group>[^/]+)\/)?plants\/(?<name>[^/]+)\/(?<subject>soil_moisture|availability)$/;

/** The plant and subject of a topic; undefined when it is no plant's. The opposite of `plantTopic`. */
export function plantOfTopic(topic: string): { plant: string; subject: Subject } | undefined {
  const { group, name, subject } = TOPIC.exec(topic)?.groups ?? {};
  if (subject !== 'soil_moisture' && subject !== 'availability') return undefined;
  const plant = plantIdSchema.safeParse(group === undefined ? name : `${group}/${name}`);
  return plant.success ? { plant: plant.data, subject } : undefined;
}
