import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import * as z from 'zod';
import { bindings, type BindingKind } from '#contract/bindings';
import { bridgeEnvSchema, mosquittoEnvSchema } from '../../firmware-bridge/src/config.ts';
import { ingestEnvSchema } from '../../ingest/src/config.ts';
import { boardEnvSchema, localEnvSchema } from '../../local/settings.ts';
import { deployEnvSchema } from '../../scripts/deploy/answers.ts';
import { cloudflareEnvSchema, commandEnvSchema, replayEnvSchema } from '../../scripts/variables.ts';
import { apiEnvSchema } from '../../worker/src/lib/config.ts';

type Section = {
  title: string;
  text: string;
  /** The file whose schemas these are. */
  source?: string;
  variables?: z.ZodObject[];
  bindings?: Record<string, BindingKind>;
};

export const sections: Section[] = [
  {
    title: 'API worker',
    text: 'Under `[vars]` in `wrangler.toml`; secrets are kept by Cloudflare. A wrong one fails every request, and the log names it.',
    source: 'worker/src/lib/config.ts',
    variables: [apiEnvSchema],
    bindings: bindings.api,
  },
  {
    title: 'Ingest worker',
    text: '',
    source: 'ingest/src/config.ts',
    variables: [ingestEnvSchema],
    bindings: bindings.ingest,
  },
  {
    title: 'Site on Pages',
    text: 'It takes no variables; without its binding every call answers 503, and the log names it.',
    source: 'web/functions/api/[[path]].ts',
    bindings: bindings.site,
  },
  {
    title: 'Bridge',
    text: 'In `/etc/cps-bridge.env` on the Raspberry Pi, readable by root alone. A wrong one ends it with exit code 78, after which systemd does not try again.',
    source: 'firmware-bridge/src/config.ts',
    variables: [bridgeEnvSchema],
  },
  {
    title: 'Broker',
    text: 'By these the `board` command finds Mosquitto, whose own settings are `firmware-bridge/mosquitto/mosquitto.conf`.',
    source: 'firmware-bridge/src/config.ts',
    variables: [mosquittoEnvSchema],
  },
  {
    title: 'Local run',
    text: '`npm start` and `npm run dev`.',
    source: 'local/settings.ts',
    variables: [localEnvSchema],
  },
  {
    title: 'Mock boards',
    text: '`npm run boards`.',
    source: 'local/settings.ts',
    variables: [boardEnvSchema],
  },
  {
    title: 'Commands',
    text: '`npm run person`, `bridge`, `backup`, `restore`, `dead-letters` and `replay`.',
    source: 'scripts/variables.ts',
    variables: [commandEnvSchema, replayEnvSchema],
  },
  {
    title: 'Deployment',
    text: '`npm run deploy` asks for what it needs; these are for where there is nobody to ask.',
    source: 'scripts/deploy/answers.ts',
    variables: [deployEnvSchema],
  },
  {
    title: 'Cloudflare',
    text: 'Read by wrangler, for `npm run deploy` and every command with `--remote`. Without them `npx wrangler login` asks in the browser.',
    source: 'scripts/variables.ts',
    variables: [cloudflareEnvSchema],
  },
];

/** The value of a variable that is not set. */
function standardOf(field: z.core.$ZodType): string {
  if (field instanceof z.ZodDefault) return shown(field.def.defaultValue);
  if (field instanceof z.ZodPipe) return standardOf(field.def.in);
  return field instanceof z.ZodOptional ? 'none' : 'required';
}

function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? 'none' : `\`${text}\``;
}

/** @param told what stands in the sections above, by name */
function variableLines(variables: z.ZodObject, told: Map<string, string>): string[] {
  return Object.entries(variables.shape).map(([name, field]) => {
    const { description: own = '', secret } = z.globalRegistry.get(field) ?? {};
    const description = told.get(name) === own ? 'as above' : own;
    told.set(name, own);
    return `- \`${name}\` (${secret ? 'secret, ' : ''}${standardOf(field)}): ${description}`;
  });
}

function bindingLine(list: Record<string, BindingKind>): string[] {
  const each = Object.entries(list).map(([name, kind]) => `\`${name}\` (${kind})`);
  return [`Bindings: ${each.join(', ')}.`, ''];
}

function sectionText(
  { title, text, source, variables, bindings }: Section,
  told: Map<string, string>,
): string[] {
  const lines = (variables ?? []).flatMap((each) => variableLines(each, told));
  return [
    `## ${title}`,
    '',
    ...(text === '' ? [] : [text, '']),
    ...(source === undefined ? [] : [`Schema: \`${source}\`.`, '']),
    ...lines,
    '',
    ...(bindings ? bindingLine(bindings) : []),
  ];
}

/** The text of docs/configuration.md, made from the schemas. */
export async function configurationPage(): Promise<string> {
  const told = new Map<string, string>();
  const text = [
    '# Configuration',
    '',
    'Each part checks its variables at the start and names what is wrong; one that is set to nothing counts as not set. In brackets stands the default.',
    '',
    'This page is written from the schemas: after a change of one, `npx vitest run --project unit tests/deploy/configuration.test.ts --update`.',
    '',
    ...sections.flatMap((section) => sectionText(section, told)),
  ].join('\n');
  const options: unknown = JSON.parse(readFileSync('.prettierrc.json', 'utf8'));
  return await format(text, { ...z.record(z.string(), z.unknown()).parse(options), parser: 'markdown' });
}
