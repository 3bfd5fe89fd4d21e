import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The repository's files, but a build of its own: what is built there must not reach what runs beside it. */
export function makeWorkplace(): string {
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-deploy-'));
  linkAll('.', place, ['.git', '.cps-lock', '.deploy.json', 'dist', 'test-results', 'web']);
  linkAll('web', join(place, 'web'), ['dist']);
  for (const built of ['dist', 'web/dist']) cpSync(built, join(place, built), { recursive: true });
  rmSync(join(place, 'dist/deploy'), { recursive: true, force: true });
  return place;
}

export function linkAll(folder: string, target: string, apart: string[]): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!apart.includes(name)) symlinkSync(resolve(folder, name), join(target, name));
  }
}
