import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bindings } from '#contract/bindings';
import { readVariables, secretVariableNames } from '#contract/variables';
import { bridgeEnvSchema, mosquittoEnvSchema } from '../../firmware-bridge/src/config.ts';
import { localEnvSchema, readSettings } from '../../local/settings.ts';
import { apiEnvSchema, readConfig } from '../../worker/src/lib/config.ts';
import { configurationPage, sections } from './configuration-page.ts';

const sources = globSync('{worker,ingest,firmware-bridge,local,scripts,web}/**/*.{ts,tsx,mjs}', {
  exclude: ['**/dist/**', '**/paraglide/**', '**/node_modules/**'],
}).map((file) => ({ file, text: readFileSync(file, 'utf8') }));

describe('docs/configuration.md', () => {
  test('OPS-5 holds every variable and binding of every part, as its schema has it', async () => {
    await expect(await configurationPage()).toMatchFileSnapshot('../../docs/configuration.md');
  });

  test('OPS-5 knows each schema of variables that there is, and each variable says what it is', () => {
    const described = sections.flatMap(({ source }) => source ?? []);
    const declaring = sources
      .filter(({ text }) => /^export const \w+EnvSchema = /m.test(text))
      .map(({ file }) => file)
      .sort();
    expect(declaring.length).toBeGreaterThan(3);
    expect(described).toEqual(expect.arrayContaining(declaring));
    for (const file of declaring) {
      const declared = sources
        .find((source) => source.file === file)
        ?.text.match(/(?<=^export const )\w+EnvSchema(?= = )/gm);
      const page = readFileSync('tests/deploy/configuration-page.ts', 'utf8');
      for (const name of declared ?? []) expect(page).toMatch(new RegExp(`variables: \\[.*\\b${name}\\b`));
    }
    for (const { variables } of sections) {
      for (const name of (variables ?? []).flatMap(({ shape }) => Object.keys(shape))) {
        const section = variables?.find(({ shape }) => name in shape);
        expect(section?.shape[name]?.description, name).toBeTruthy();
      }
    }
  });

  test('OPS-5 is the only way to a variable: nothing reads one past the schemas', () => {
    // The first one runs before there are packages, and asks npm and the shell alone; the other one asks whether npm called it.
    const alone = new Set(['scripts/setup.mjs', 'firmware-bridge/src/commands/command-line.ts']);
    const readers = sources
      .filter(({ file }) => !alone.has(file))
      .filter(({ text }) => /(?<!')process\.env(\.|\[)|\}\s*=\s*process\.env\b/.test(text));
    expect(readers.map(({ file }) => file)).toEqual([]);
    const inBridge = sources.filter(({ file }) => file.startsWith('firmware-bridge/'));
    const names = inBridge.flatMap(({ text }) => text.match(/(?<=\benv\[')[A-Z]\w+/g) ?? []);
    expect(Object.keys({ ...bridgeEnvSchema.shape, ...mosquittoEnvSchema.shape })).toEqual(
      expect.arrayContaining(names),
    );
  });

  test('OPS-4 the privacy page says for how long the product that wrangler.toml describes keeps personal data', () => {
    const page = readFileSync('web/public/markdown/privacy.md', 'utf8');
    const values = readFileSync('wrangler.toml', 'utf8');
    const valueOf = (name: string) => new RegExp(`^${name} = "([0-9]+)"$`, 'm').exec(values)?.[1] ?? 'none';
    expect(page).toMatch(
      new RegExp(`\\| 수강생 명단과 사진 +\\| 그 학기가 끝나고 ${valueOf('ROSTER_YEARS')}년\\.`),
    );
    expect(page).toMatch(new RegExp(`계정을 삭제하고 ${valueOf('DELETED_USERS_DAYS')}일,`));
    expect(page).toMatch(new RegExp(`\\| 접속 기록 +\\| ${valueOf('ACCESS_LOG_DAYS')}일 +\\|`));
  });

  test('OPS-5 .dev.vars.example holds the secrets of the API worker, and no value', () => {
    const lines = readFileSync('.dev.vars.example', 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.sort()).toEqual(
      secretVariableNames(apiEnvSchema)
        .map((name) => `${name}=`)
        .sort(),
    );
  });
});

describe('a wrong variable', () => {
  const right = {
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'a client secret',
    COOKIE_SECRETS: 'x'.repeat(32),
  };

  test.each([
    ['GOOGLE_CLIENT_ID', '', 'is required: id of'],
    ['GOOGLE_CLIENT_SECRET', '', 'is required: secret of'],
    ['COOKIE_SECRETS', 'short', 'must be secrets of at least 32 characters'],
    ['COOKIE_SECRETS', ' , , ', 'must be secrets of at least 32 characters'],
    ['ADMIN_EMAILS', 'boss@lab.test, nobody', 'must be email addresses'],
    ['UNIVERSITY_EMAIL_DOMAINS', 'someone@univ.example', 'must be domains like univ.example'],
    ['ACCESS_LOG_DAYS', '30 days', 'must be a whole number from 366'],
    ['ACCESS_LOG_DAYS', '359', 'must be a whole number from 366'],
    ['PLANT_READINGS_DAYS', 'ten years', 'must be a whole number from 31'],
    ['IDENTITY_PROVIDER', 'googleapis.com', 'must be an address like'],
  ])(
    'OPS-5 %s=%s of the API worker is one line: what it should be, what it is, and not its value',
    (name, value, line) => {
      const read = readVariables(apiEnvSchema, { ...right, [name]: value });
      expect(read).toEqual({ problems: [expect.stringContaining(`${name} ${line}`)] });
      expect(JSON.stringify(read)).not.toContain(value === '' ? 'undefined' : value);
    },
  );

  test('OPS-5 the API worker says all that is wrong at once, bindings too', () => {
    const env = {
      ...right,
      COOKIE_SECRETS: 'short',
      DB: {},
      PLANTS_DB: {},
      FILES: {},
      LOGIN_RATE: {},
      UPLOAD_RATE: {},
    };
    const start = () => Reflect.apply(readConfig, undefined, [env]);
    expect(start).toThrow(/^wrong configuration: INGEST is not bound: add a .*; COOKIE_SECRETS must be/);
    expect(Object.keys(bindings.api)).toContain('INGEST');
  });

  test('OPS-5 the local run names each in one line', () => {
    expect(() => readSettings({ PORT: '0', SIMULATOR: 'no' })).toThrow(
      /^wrong settings: PORT must be a whole number from 1 to 65535: the site and \/api; SIMULATOR must be on or off: .*$/,
    );
  });

  test.each([
    ['ADMIN_EMAILS', 'boss'],
    ['ADMIN_EMAILS', 'boss@lab.test;other@lab.test'],
    ['UNIVERSITY_EMAIL_DOMAINS', '@univ.example'],
    ['UNIVERSITY_EMAIL_DOMAINS', 'univ'],
    ['ALERT_WEBHOOK_URL', 'hooks.example'],
    ['HEARTBEAT_URL', 'http://ping.example'],
    ['LOG_LEVEL', 'loud'],
  ])(
    'OPS-5 %s=%s is refused by the local run at its start, in the words of a deployed API',
    (name, value) => {
      const deployed = readVariables(apiEnvSchema, { ...right, [name]: value });
      const lines = 'problems' in deployed ? deployed.problems : [];
      expect(lines).toEqual([expect.stringContaining(`${name} must be`)]);
      expect(() => readSettings({ [name]: value })).toThrow(`wrong settings: ${lines.join('; ')}`);
    },
  );

  test('OPS-5 whatever the local run takes for the API worker is checked by the same schema', () => {
    const shared = Object.keys(apiEnvSchema.shape).filter((name) => name in localEnvSchema.shape);
    expect(shared.length).toBeGreaterThan(4);
    const own: Record<string, unknown> = localEnvSchema.shape;
    const deployed: Record<string, unknown> = apiEnvSchema.shape;
    for (const name of shared) expect(own[name], name).toBe(deployed[name]);
  });

  test('OPS-5 what is set to nothing counts as not set', () => {
    const read = readVariables(apiEnvSchema, { ...right, PLANT_READINGS_DAYS: '', ACCESS_LOG_DAYS: '' });
    expect(read).toMatchObject({ values: { ACCESS_LOG_DAYS: 400 } });
    expect('values' in read && read.values.PLANT_READINGS_DAYS).toBeUndefined();
  });
});
