/** Which addresses of the product a file has to do with, as the sources say it. */
import { globSync, readFileSync } from 'node:fs';
import { importsOf } from './imports.ts';
import { leads, MAINS } from './reach.ts';

/** Stands for all pages. */
export const EVERY_PAGE = '*';

const routesOfApi = [
  ...readFileSync(MAINS.api, 'utf8').matchAll(/\.route\('(?<address>\/\w+)[^']*', (?<name>\w+)\)/g),
].map(({ groups }) => ({ address: groups?.['address'] ?? '', name: groups?.['name'] ?? '' }));

/** Addresses of the API, without `/api`, whose handlers run the file, and what the tasks that run it are called. */
export function addressesOf(file: string): string[] {
  const lines = readFileSync(MAINS.api, 'utf8').split('\n');
  const sources = importsOf(MAINS.api).map(({ to }) => to);
  const ofRoutes = routesOfApi.filter(({ name }) => {
    const line = lines.find((each) => new RegExp(`^import \\{[^}]*\\b${name}\\b`).test(each)) ?? '';
    const source = sources.find((each) => line.includes(each.replace('worker/src', '.')));
    return source !== undefined && leads(source, file);
  });
  const tasks = ['worker/src/retention.ts', 'worker/src/watch/watch.ts', 'worker/src/tasks/run-task.ts'];
  const ofTasks = tasks.some((task) => leads(task, file)) ? ['retention', 'watch', 'scheduled', 'cron'] : [];
  return [...new Set([...ofRoutes.map(({ address }) => address), ...ofTasks])];
}

const LAYOUTS = /\/(__root|_signed-in)\.tsx$/;

/** Addresses of the pages that draw with the file. */
export function pagesOf(file: string): string[] {
  const besides = besidesSources(file);
  if (besides) return besides;
  const sources = globSync('web/src/**/*.{ts,tsx}');
  const routes = sources.filter((source) => source.startsWith('web/src/routes/'));
  const drawing = routes.filter((route) => leads(route, file));
  // What no route leads to, like a style, is there on all of them.
  const isOfAll = file.startsWith('web/src/') && drawing.length === 0;
  if (isOfAll || drawing.some((route) => LAYOUTS.test(route))) return [EVERY_PAGE];
  return [...new Set(drawing.map(addressOf))];
}

/** Of what the site holds besides its sources. */
function besidesSources(file: string): string[] | undefined {
  if (!file.startsWith('web/') || file.startsWith('web/src/')) return undefined;
  if (file.startsWith('web/public/markdown/')) return ['/docs'];
  if (file.startsWith('web/functions/')) return ['/', 'functions'];
  return [EVERY_PAGE];
}

/** `/manage_plants` of `_signed-in/manage_plants.tsx`, `/docs` of `docs.$name.tsx`, `/` in every language. */
function addressOf(route: string): string {
  const name = route
    .replace('web/src/routes/', '')
    .replace('_signed-in/', '')
    .replace(/\.tsx$/, '');
  const isPart = (part: string) => !part.includes('$') && !/^(en|ko|en_|index)$/.test(part);
  return `/${name.split('.').find(isPart) ?? ''}`;
}
