import { spawnSync } from 'node:child_process';
import { z } from 'zod';

/*
 * Checks a device's discovery message as Home Assistant does, by its source (homeassistant/components/mqtt:
 * discovery.py, schemas.py, sensor.py, abbreviations.py) and its page on MQTT, read in November 2026: topics,
 * keys and abbreviations, values that components inherit from the device, and value templates. Keys that we
 * do not use are left out, so that a mistyped key is found.
 */

const TOPIC = /^homeassistant\/device\/(?:([a-zA-Z0-9_-]+)\/)?([a-zA-Z0-9_-]+)\/config$/;

const abbreviations: Record<string, string> = {
  dev: 'device',
  o: 'origin',
  cmps: 'components',
  p: 'platform',
  stat_t: 'state_topic',
  avty: 'availability',
  avty_mode: 'availability_mode',
  t: 'topic',
  uniq_id: 'unique_id',
  dev_cla: 'device_class',
  stat_cla: 'state_class',
  unit_of_meas: 'unit_of_measurement',
  sug_dsp_prc: 'suggested_display_precision',
  exp_aft: 'expire_after',
  val_tpl: 'value_template',
};
const deviceAbbreviations: Record<string, string> = { ids: 'identifiers', mdl: 'model', name: 'name' };

/** No wildcard, no NUL, at most 65,535 bytes. */
const topicSchema = z
  .string()
  .min(1)
  .refine((topic) => !/[+#\0]/.test(topic) && Buffer.byteLength(topic) <= 65_535);

const sensorSchema = z.strictObject({
  platform: z.literal('sensor'),
  unique_id: z.string().min(1),
  device_class: z.literal('moisture'),
  state_class: z.enum(['measurement', 'total', 'total_increasing']),
  // The only unit of this device class.
  unit_of_measurement: z.literal('%'),
  suggested_display_precision: z.int().min(0),
  expire_after: z.int().min(0),
  value_template: z.string().min(1),
});

const configSchema = z.strictObject({
  device: z.strictObject({
    identifiers: z.array(z.string()).min(1),
    name: z.string().min(1),
    model: z.string().min(1),
  }),
  origin: z.strictObject({ name: z.string().min(1) }),
  components: z.record(z.string(), sensorSchema),
  state_topic: topicSchema,
  availability: z
    .array(z.strictObject({ topic: topicSchema, value_template: z.string().optional() }))
    .optional(),
  availability_mode: z.enum(['all', 'any', 'latest']).optional(),
});

function unabbreviated(content: object, by: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [by[key] ?? key, value]));
}

const objectSchema = z.record(z.string(), z.unknown());
const messageSchema = z.object({
  device: objectSchema,
  origin: objectSchema,
  components: z.record(z.string(), objectSchema),
  availability: z.array(objectSchema).default([]),
});

export type Device = {
  id: string;
  name: string;
  model: string;
  sensors: (z.infer<typeof sensorSchema> & {
    state_topic: string;
    availability?: z.infer<typeof configSchema>['availability'];
    availability_mode?: string | undefined;
  })[];
};

/**
 * The device that Home Assistant creates from a retained message.
 * @throws Error if Home Assistant would refuse the message
 */
export function deviceFrom(topic: string, payload: string): Device {
  const id = TOPIC.exec(topic)?.[2];
  if (id === undefined) throw new Error(`illegal discovery topic ${topic}`);
  const outer = unabbreviated(objectSchema.parse(JSON.parse(payload)), abbreviations);
  const { device, origin, components, availability: words } = messageSchema.parse(outer);
  const config = configSchema.parse({
    ...outer,
    ...('availability' in outer && { availability: words.map((word) => unabbreviated(word, abbreviations)) }),
    device: unabbreviated(device, deviceAbbreviations),
    origin,
    components: Object.fromEntries(
      Object.entries(components).map(([name, component]) => [name, unabbreviated(component, abbreviations)]),
    ),
  });
  const { state_topic, availability, availability_mode } = config;
  const shared = { state_topic, ...(availability !== undefined && { availability, availability_mode }) };
  return {
    id: config.device.identifiers.join(),
    name: config.device.name,
    model: config.device.model,
    sensors: Object.values(config.components).map((sensor) => Object.assign(sensor, shared)),
  };
}

const RENDER = `
import json, re, sys
import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment
def refuse(_): raise ValueError()
work = json.load(sys.stdin)
environment = ImmutableSandboxedEnvironment()
# A filter of Home Assistant's own (helpers/template).
environment.filters["regex_findall"] = lambda value, find="", ignorecase=False: re.compile(
    find, re.IGNORECASE if ignorecase else 0
).findall(value)
template = environment.from_string(work["template"])
def state(payload):
    values = {"value": payload}
    try:
        values["value_json"] = json.loads(payload, parse_constant=refuse)
    except ValueError:
        pass
    return template.render(values).strip()
print(json.dumps([state(payload) for payload in work["payloads"]]))
`;

/** Whether Home Assistant's template engine is installed. */
export const hasJinja = spawnSync('python3', ['-c', 'import jinja2']).status === 0;

/** The states after these messages, as Home Assistant renders them; an empty text is an unchanged state. */
export function statesOf(template: string, payloads: readonly string[]): string[] {
  const run = spawnSync('python3', ['-c', RENDER], {
    input: JSON.stringify({ template, payloads }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return z.array(z.string()).parse(JSON.parse(run.stdout));
}
