import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from '#contract/release';
import * as z from 'zod';

test('package.json and every part have the version of the newest section of the changelog', () => {
  const [, newest] =
    /^## (\S+), (?:\d{4}-\d{2}-\d{2}|not released yet)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  expect(JSON.parse(readFileSync('package.json', 'utf8'))).toMatchObject({ version: newest });
  expect(VERSION).toBe(newest);
});

test('the workflow runs what a developer runs, with actions pinned to a commit', () => {
  const workflow = readFileSync('.github/workflows/ci.yml', 'utf8');
  const runs = [...workflow.matchAll(/- run: (.+)/g)].map(([, command]) => command);
  const audit = ['npm ci --ignore-scripts', 'npm audit --omit=dev', 'npm audit signatures'];
  expect(runs).toEqual(['npm test', 'npm run test:long', ...audit]);
  const uses = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(uses.length).toBeGreaterThan(0);
  for (const action of uses) expect(action).toMatch(/@[0-9a-f]{40}$/);
});

test('every place that names the version of Node names the same', () => {
  const { devDependencies } = z
    .object({ devDependencies: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(readFileSync('.nvmrc', 'utf8').trim()).toBe(devDependencies.node);
  const images = readFileSync('.github/workflows/ci.yml', 'utf8').matchAll(/container: node:([\d.]+)-/g);
  for (const [, version] of images) expect(version).toBe(devDependencies.node);
});

test('the bot watches every kind of dependency that there is', () => {
  const bot = readFileSync('.github/dependabot.yml', 'utf8');
  expect([...bot.matchAll(/package-ecosystem: (\S+)/g)].map(([, kind]) => kind)).toEqual([
    'npm',
    'github-actions',
  ]);
});
