import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from '../firmware-bridge/src/commands/command-line.ts';

/* One account may hold several deployments. What one of them consists of is called after its name. */

/** Where a command works: `local`, the data folder, or the name of a deployment. */
export type DeploymentTarget = string;
export const LOCAL = 'local';

/** The name where none is said: that of the site in its wrangler.toml. */
export function usualName(): string {
  const [, name] = /^name = "(.+)"$/m.exec(readFileSync('web/wrangler.toml', 'utf8')) ?? [];
  if (name === undefined) throw new Error('web/wrangler.toml has no name');
  return name;
}

/** A part of one deployment must not be called as that of another one: `moss-plants` would be the plants of `moss`. */
const nameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,38}[a-z0-9]$/)
  .regex(/^(?!local$)(?!.*-(?:api|ingest|plants|files)$)/);

export const nameOption = {
  type: 'string',
  takes: '<name>',
  tells: 'which of several deployments in one account; without it cps-lab',
} as const;

/** @throws UsageError for what can be no name of a deployment */
export function deploymentName(name: string = usualName()): string {
  if (nameSchema.safeParse(name).success) return name;
  throw new UsageError(
    '--name takes 3 to 40 small letters, digits and dashes, a letter first; not local, nor one that ends in -api, -ingest, -plants or -files',
  );
}

/** @throws UsageError where a name is given without --remote, or is none */
export function deploymentTarget({
  remote = false,
  name,
}: {
  remote?: boolean;
  name?: string;
}): DeploymentTarget {
  if (remote) return deploymentName(name);
  if (name !== undefined) throw new UsageError('--name goes with --remote alone');
  return LOCAL;
}

/** The command-line options for that target: `--remote --name lab`. */
export function targetFlags(where: DeploymentTarget): string {
  if (where === LOCAL) return '';
  return where === usualName() ? ' --remote' : ` --remote --name ${where}`;
}

/** The target as a phrase within a sentence. */
export const targetName = (where: DeploymentTarget) =>
  where === LOCAL ? 'the local database' : `the database of ${where}`;
