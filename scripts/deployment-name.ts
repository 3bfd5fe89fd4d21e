import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from '../firmware-bridge/src/commands/command-line.ts';

/* One account may have several deployments. The names of a deployment's parts begin with its name. */

/** The target of a command: `local` for the data folder, or a deployment's name. */
export type DeploymentTarget = string;
export const LOCAL = 'local';

/** The default name, which is the name in web/wrangler.toml. */
export function defaultName(): string {
  const [, name] = /^name = "(.+)"$/m.exec(readFileSync('web/wrangler.toml', 'utf8')) ?? [];
  if (name === undefined) throw new Error('web/wrangler.toml has no name');
  return name;
}

/** Refuses names that could be a part of another deployment: `moss-plants` is the database of `moss`. */
const nameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,38}[a-z0-9]$/)
  .regex(/^(?!local$)(?!.*-(?:api|ingest|plants|files)$)/);

export const nameOption = {
  type: 'string',
  takes: '<name>',
  tells: 'one of several deployments in the account (default: cps-lab)',
} as const;

/** @throws UsageError for an invalid name of a deployment */
export function deploymentName(name: string = defaultName()): string {
  if (nameSchema.safeParse(name).success) return name;
  throw new UsageError(
    '--name takes 3 to 40 small letters, digits and dashes, a letter first; not local, and not with -api, -ingest, -plants or -files at its end',
  );
}

/** @throws UsageError for a name without --remote, or an invalid name */
export function deploymentTarget({
  remote = false,
  name,
}: {
  remote?: boolean;
  name?: string;
}): DeploymentTarget {
  if (remote) return deploymentName(name);
  if (name !== undefined) throw new UsageError('--name needs --remote: add --remote');
  return LOCAL;
}

/** The command-line options for that target: `--remote --name lab`. */
export function targetFlags(where: DeploymentTarget): string {
  if (where === LOCAL) return '';
  return where === defaultName() ? ' --remote' : ` --remote --name ${where}`;
}

/** The target as a phrase within a sentence. */
export const targetName = (where: DeploymentTarget) =>
  where === LOCAL ? 'the local database' : `the database of ${where}`;
