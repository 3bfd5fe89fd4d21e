import { calibrationOf, DEFAULT_CALIBRATION, MOISTURE_RAW_MAX } from '#contract/moisture/percent';
import { plantIdSchema, plantTopic } from '#contract/plant-id';
import type { ListedPlant } from '#contract/readings';
import { READINGS_PER_MESSAGE_MAX } from '../broker/decode.ts';

/*
 * Describes a board to Home Assistant, by MQTT device discovery: from one retained message for each board, it
 * makes a device with one sensor. The keys are Home Assistant's abbreviations.
 */

export const DISCOVERY_TOPIC_FILTER = 'homeassistant/device/+/config';
const CONFIG_TOPIC = /^homeassistant\/device\/([^/]+)\/config$/;
const ID_PREFIX = 'cps-lab-';

/**
 * The plant's id in a topic. Home Assistant allows only letters, digits, `_` and `-` there, so other bytes
 * become `_` and two hex digits: two plants never share an id, and the plant can be decoded from it.
 */
function idOf(plant: string): string {
  const escaped = [...new TextEncoder().encode(plant)].map((byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9-]/.test(letter) ? letter : `_${byte.toString(16).padStart(2, '0')}`;
  });
  return ID_PREFIX + escaped.join('');
}

export const discoveryTopic = (plant: string) => `homeassistant/device/${idOf(plant)}/config`;

/** The plant in the topic of a configuration; null if the topic is not ours, undefined for other topics. */
export function plantOfDiscoveryTopic(topic: string): string | null | undefined {
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
  const plant = plantIdSchema.safeParse(Buffer.from(bytes, 'hex').toString());
  return plant.success && idOf(plant.data) === id ? plant.data : null;
}

/** A regular expression that accepts what `instantSchema` does, without backslashes: Jinja removes them. */
const INSTANT = [
  '^([0-9]{4})(?P<dash>-?)(0[1-9]|1[0-2])(?P=dash)(0[1-9]|[12][0-9]|3[01])[Tt ]',
  '([01][0-9]|2[0-3])(?P<colon>:?)([0-5][0-9])(?:(?P=colon)([0-5][0-9])(?:[.,]([0-9]+))?)?',
  '(?:[Zz]|([+-])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?)(?![^x]|x)',
].join('');

const isInteger = (name: string, least: number, most: number) =>
  `${name} is number and ${name} is not boolean and ${least} <= ${name} <= ${most} and ${name} == ${name} | int`;

/**
 * Jinja that converts a board's message to percent, as `moisturePercent` does. From an array it takes the
 * last reading without a datetime or, if all have one, the reading with the greatest datetime. A message that
 * the bridge rejects gives no value, and Home Assistant's state stays.
 */
function percentTemplate({ dry, wet }: typeof DEFAULT_CALIBRATION): string {
  return [
    '{%- set sent = value_json | default([]) -%}',
    '{%- set all = sent if sent is sequence and sent is not mapping and sent is not string else [sent] -%}',
    '{%- set last = namespace(raw=none, at=[-1, 0]) -%}',
    `{%- for one in (all if all | length <= ${READINGS_PER_MESSAGE_MAX} else []) -%}`,
    '{%- set of = one if one is mapping else dict(soil_moisture=one) -%}',
    "{%- set raw = of.get('soil_moisture') -%}",
    "{%- set seq = of.get('seq', 0) -%}",
    "{%- set known = of | select('in', ['soil_moisture', 'datetime', 'seq']) | list | length == of | length -%}",
    `{%- if known and ${isInteger('raw', 0, MOISTURE_RAW_MAX)} and ${isInteger('seq', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)} -%}`,
    "{%- if 'datetime' not in of -%}",
    '{%- set last.raw = raw -%}{%- set last.at = [1e18, 0] -%}',
    "{%- elif of.get('datetime') is string -%}",
    `{%- for y, _, m, d, h, _, min, s, f, sign, zh, zm in of.get('datetime') | regex_findall('${INSTANT}') -%}`,
    '{%- set year = y | int -%}{%- set month = m | int -%}',
    '{%- set leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) -%}',
    '{%- set most = (29 if leap else 28) if month == 2 else 30 if month in [4, 6, 9, 11] else 31 -%}',
    '{%- if d | int <= most -%}',
    // Counts days in a calendar whose year begins in March.
    '{%- set since = year - (1 if month < 3 else 0) -%}',
    '{%- set days = 365 * since + since // 4 - since // 100 + since // 400 + ((month + 9) % 12 * 306 + 5) // 10 + d | int -%}',
    "{%- set zone = (zh | int(0) * 60 + zm | int(0)) * (-1 if sign == '-' else 1) -%}",
    "{%- set nano = (f ~ '000000000')[:9] | int -%}",
    '{%- set at = [((days * 24 + h | int) * 60 + min | int - zone) * 60000 + s | int(0) * 1000 + nano // 1000000,',
    " seq if 'seq' in of else nano % 1000000] -%}",
    // If two readings have the same instant and seq, the lab stores the first one.
    '{%- if at > last.at -%}{%- set last.raw = raw -%}{%- set last.at = at -%}{%- endif -%}',
    '{%- endif -%}',
    '{%- endfor -%}',
    '{%- endif -%}',
    '{%- endif -%}',
    '{%- endfor -%}',
    '{%- if last.raw is not none -%}',
    `{{ [0, [100, (${dry} - last.raw) * 100 / ${dry - wet}] | min] | max }}`,
    '{%- endif -%}',
  ].join('');
}

/**
 * The payload that configures a plant's device.
 * @param saysWhetherOnline whether its board uses its availability topic. If not, Home Assistant must not get
 *   this topic: it would show the device as unavailable for ever.
 */
export function discoveryPayload(plant: ListedPlant, saysWhetherOnline: boolean): string {
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
        val_tpl: percentTemplate(calibrationOf(plant) ?? DEFAULT_CALIBRATION),
      },
    },
    stat_t: plantTopic(plant.plant, 'soil_moisture'),
    ...(saysWhetherOnline && {
      // The last message of either topic counts: a reading after `offline` proves that the board is online.
      avty_mode: 'latest',
      avty: [
        { t: plantTopic(plant.plant, 'availability') },
        { t: plantTopic(plant.plant, 'soil_moisture'), val_tpl: 'online' },
      ],
    }),
  });
}
