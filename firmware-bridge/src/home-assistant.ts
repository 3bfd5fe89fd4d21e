import { calibrationOf, UNCALIBRATED, type Calibration } from '#contract/moisture';
import { plantNameSchema, rawMoistureSchema } from '#contract/plants';
import type { ListedPlant } from '#contract/readings';
import { availabilityTopicOf } from './boards.ts';
import { topicOf } from './decode.ts';

/*
 * What Home Assistant is told of a board, by its MQTT device discovery: one retained message a board, from which it
 * makes a device with one sensor. The keys are Home Assistant's abbreviations.
 */

export const CONFIG_FILTER = 'homeassistant/device/+/config';
const CONFIG_TOPIC = /^homeassistant\/device\/([^/]+)\/config$/;
const ID_PREFIX = 'cps-lab-';

/**
 * An id that Home Assistant takes in a topic, which is letters, digits, `_` and `-` alone. Bytes of any other kind stand
 * as `_` and two hex digits, so that two plants never share an id and the plant can be read from it.
 */
function idOf(plant: string): string {
  const escaped = [...new TextEncoder().encode(plant)].map((byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9-]/.test(letter) ? letter : `_${byte.toString(16).padStart(2, '0')}`;
  });
  return ID_PREFIX + escaped.join('');
}

export const configTopicOf = (plant: string) => `homeassistant/device/${idOf(plant)}/config`;

/** The plant that a configuration is about; null if it is not one of ours, undefined if the topic is of another kind. */
export function plantOfConfig(topic: string): string | null | undefined {
  const [, id] = CONFIG_TOPIC.exec(topic) ?? [];
  if (id === undefined) return undefined;
  if (!id.startsWith(ID_PREFIX)) return null;
  const bytes = id
    .slice(ID_PREFIX.length)
    .replace(
      /_([0-9a-f]{2})|(.)/g,
      (_, hex: string | undefined, letter: string) =>
        hex ?? letter.charCodeAt(0).toString(16).padStart(2, '0'),
    );
  const plant = plantNameSchema.safeParse(Buffer.from(bytes, 'hex').toString());
  return plant.success && idOf(plant.data) === id ? plant.data : null;
}

/**
 * Jinja that turns a board's message into percent, as `plantPercent` does: of an array the last reading, because boards
 * send what they have kept in order. Of what is no reading it makes nothing, and the state stays.
 */
function percentTemplate({ dry, wet }: Calibration): string {
  const most = rawMoistureSchema.maxValue;
  return [
    '{%- set sent = value_json | default([]) -%}',
    '{%- set last = namespace(raw=none) -%}',
    '{%- for one in (sent if sent is sequence and sent is not mapping and sent is not string else [sent]) -%}',
    "{%- set raw = one.get('soil_moisture') if one is mapping else one -%}",
    `{%- if raw is number and raw is not boolean and 0 <= raw <= ${most} and raw == raw | int -%}`,
    '{%- set last.raw = raw -%}',
    '{%- endif -%}',
    '{%- endfor -%}',
    '{%- if last.raw is not none -%}',
    `{{ [0, [100, (${dry} - last.raw) * 100 / ${dry - wet}] | min] | max }}`,
    '{%- endif -%}',
  ].join('');
}

/**
 * The payload of a plant's configuration.
 * @param saysWhetherOnline whether its board uses its availability topic. Home Assistant takes a device that does not,
 *   but has one, for unavailable for ever.
 */
export function configOf(plant: ListedPlant, saysWhetherOnline: boolean): string {
  const id = idOf(plant.plant);
  return JSON.stringify({
    dev: { ids: [id], name: plant.name, mdl: '토양 수분 보드' },
    o: { name: 'Lab portal' },
    cmps: {
      moisture: {
        p: 'sensor',
        uniq_id: `${id}-moisture`,
        dev_cla: 'moisture',
        stat_cla: 'measurement',
        unit_of_meas: '%',
        sug_dsp_prc: 1,
        // In seconds.
        exp_aft: plant.stale_after_minutes * 60,
        val_tpl: percentTemplate(calibrationOf(plant) ?? UNCALIBRATED),
      },
    },
    stat_t: topicOf(plant.plant),
    ...(saysWhetherOnline && { avty_t: availabilityTopicOf(plant.plant) }),
  });
}
