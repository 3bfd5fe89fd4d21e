import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import * as z from 'zod';
import { bindings, type BindingKind } from '#contract/bindings';
import { bridgeVariables, mosquittoVariables } from '../../firmware-bridge/src/config.ts';
import { ingestVariables } from '../../ingest/src/config.ts';
import { boardVariables, localVariables } from '../../local/settings.ts';
import { deployVariables } from '../../scripts/deploy/asked-values.ts';
import { cloudflareVariables, commandVariables, replayVariables } from '../../scripts/variables.ts';
import { apiVariables } from '../../worker/src/lib/config.ts';

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
    text: 'Public variables stand under `[vars]` in `wrangler.toml` and are set by `npm run deploy`; secrets are kept by Cloudflare. Checked with the first request of each isolate: a wrong one fails every request, and the log names it.',
    source: 'worker/src/lib/config.ts',
    variables: [apiVariables],
    bindings: bindings.api,
  },
  {
    title: 'Ingest worker',
    text: 'Checked with the first request of each isolate.',
    source: 'ingest/src/config.ts',
    variables: [ingestVariables],
    bindings: bindings.ingest,
  },
  {
    title: 'Site on Pages',
    text: 'The site is files, a function that hands `/api` to the API worker, and one that puts courses and the public plant into the main page. It takes no variables; without its binding every call answers 503, the main page is sent as it was built, and the log names it.',
    source: 'web/functions/api/[[path]].ts',
    bindings: bindings.site,
  },
  {
    title: 'Bridge',
    text: 'In `/etc/cps-bridge.env` on the Raspberry Pi, readable by root alone. Checked at the start: one line for each that is wrong, and exit code 78, after which systemd does not try again.',
    source: 'firmware-bridge/src/config.ts',
    variables: [bridgeVariables],
  },
  {
    title: 'Broker',
    text: 'Mosquitto takes no variables: its settings are `firmware-bridge/mosquitto/mosquitto.conf`. The `board` command, which gives boards their passwords, finds it by these.',
    source: 'firmware-bridge/src/config.ts',
    variables: [mosquittoVariables],
  },
  {
    title: 'Local run',
    text: '`npm start` and `npm run dev`. Checked at the start: one line that names each that is wrong.',
    source: 'local/settings.ts',
    variables: [localVariables],
  },
  {
    title: 'Mock boards',
    text: 'Started by the local run, and by `npm run boards`.',
    source: 'local/settings.ts',
    variables: [boardVariables],
  },
  {
    title: 'Commands',
    text: '`npm run person`, `bridge`, `backup`, `restore`, `dead-letters` and `replay`.',
    source: 'scripts/variables.ts',
    variables: [commandVariables, replayVariables],
  },
  {
    title: 'Deployment',
    text: '`npm run deploy` asks for what it needs; these are for where there is nobody to ask.',
    source: 'scripts/deploy/asked-values.ts',
    variables: [deployVariables],
  },
  {
    title: 'Cloudflare',
    text: 'Read by wrangler, for `npm run deploy` and every command with `--remote`. Without them `npx wrangler login` asks in the browser.',
    source: 'scripts/variables.ts',
    variables: [cloudflareVariables],
  },
];

const cell = (text: string) => text.replaceAll('|', '\\|');

/** What a variable is without being set. */
function standardOf(field: z.core.$ZodType): string {
  if (field instanceof z.ZodDefault) return shown(field.def.defaultValue);
  if (field instanceof z.ZodPipe) return standardOf(field.def.in);
  return field instanceof z.ZodOptional ? 'none' : 'required';
}

function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? 'none' : `\`${text}\``;
}

function variableRows(variables: z.ZodObject): string[] {
  return Object.entries(variables.shape).map(([name, field]) => {
    const { description = '', secret } = z.globalRegistry.get(field) ?? {};
    return `| \`${name}\`${secret ? ' (secret)' : ''} | ${standardOf(field)} | ${cell(description)} |`;
  });
}

function bindingTable(list: Record<string, BindingKind>): string[] {
  const rows = Object.entries(list).map(([name, kind]) => `| \`${name}\` | ${kind} |`);
  return ['| binding | kind |', '| --- | --- |', ...rows, ''];
}

function sectionText({ title, text, source, variables, bindings }: Section): string[] {
  const rows = (variables ?? []).flatMap(variableRows);
  return [
    `## ${title}`,
    '',
    ...(text === '' ? [] : [text, '']),
    ...(source === undefined ? [] : [`Schema: \`${source}\`.`, '']),
    ...(rows.length === 0 ? [] : ['| variable | default | what it is |', '| --- | --- | --- |', ...rows, '']),
    ...(bindings ? bindingTable(bindings) : []),
  ];
}

/** docs/configuration.md as the schemas have it. */
export async function configurationPage(): Promise<string> {
  const text = [
    '# Configuration',
    '',
    'Every variable of every part. Each part checks its own at the start and names what is wrong, what it is and what it should be; a variable that is set to nothing counts as not set.',
    '',
    'This page is written from the schemas: after a change of one, `npx vitest run --project unit tests/deploy/configuration.test.ts -u`.',
    '',
    ...sections.flatMap(sectionText),
  ].join('\n');
  const options: unknown = JSON.parse(readFileSync('.prettierrc.json', 'utf8'));
  return await format(text, { ...z.record(z.string(), z.unknown()).parse(options), parser: 'markdown' });
}
