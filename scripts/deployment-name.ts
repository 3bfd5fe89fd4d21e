import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from '../firmware-bridge/src/commands/command-line.ts';

/* One account may have several deployments. The name of each part begins with its deployment's name. */

/** Where a command works: `local` means the data folder, any other text is a deployment's name. */
export type DeploymentTarget = string;
export const LOCAL = 'local';

/** The default name of a deployment. It is written in web/wrangler.toml. */
export function defaultDeploymentName(): string {
  const [, name] = /^name = "(.+)"$/m.exec(readFileSync('web/wrangler.toml', 'utf8')) ?? [];
  if (name === undefined) throw new Error('web/wrangler.toml has no name');
  return name;
}

/** Refuses a name that could be a part of another deployment: `moss-plants` is the database of `moss`. */
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
export function deploymentName(name: string = defaultDeploymentName()): string {
  if (nameSchema.safeParse(name).success) return name;
  throw new UsageError(
    '--name takes 3 to 40 small letters, digits and dashes, a letter first; not local, and not with -api, -ingest, -plants or -files at its end',
  );
}

/** @throws UsageError for a name without --remote, or for an invalid name */
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

/** The command-line options that mean this target, such as `--remote --name lab`. */
export function targetFlags(where: DeploymentTarget): string {
  if (where === LOCAL) return '';
  return where === defaultDeploymentName() ? ' --remote' : ` --remote --name ${where}`;
}

/** The name of the target within a sentence. */
export const targetName = (where: DeploymentTarget) =>
  where === LOCAL ? 'the local database' : `the database of ${where}`;
