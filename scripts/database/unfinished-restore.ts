import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { REPAIR_STEPS, commandInDataDir } from '#contract/first-steps';
import { printable } from '#contract/printable-text';
import { removeFile, replaceFile } from '../../firmware-bridge/src/files.ts';
import { LOCAL, targetFlags, type DeploymentTarget } from '../deployment-name.ts';
import { quoteForShell } from '../terminal.ts';

/*
 * A restore replaces files and two databases, one after the other. While it runs, a file in the data folder
 * marks it, even if the restore is into the deployed product. If the file exists but no restore runs, a
 * restore was interrupted.
 */

const markOf = (dataDir: string, where: DeploymentTarget) => join(dataDir, `restore-${where}-unfinished`);

/**
 * @param archive the archive to restore
 * @param words the other arguments; a message prints them after an interrupted restore
 */
export function markRestoreBegun(
  dataDir: string,
  where: DeploymentTarget,
  archive: string,
  words = '',
): void {
  replaceFile(markOf(dataDir, where), `${words === '' ? '' : `${words}\n`}${resolve(archive)}`);
}

/** The command that restores an archive, for the operator to type. */
export const restoreCommandLine = (
  dataDir: string,
  where: DeploymentTarget,
  archive: string,
  words: string,
) => commandInDataDir(dataDir, REPAIR_STEPS.restore(archive, targetFlags(where) + words));

export const isRestoreUnfinished = (dataDir: string, where: DeploymentTarget) =>
  existsSync(markOf(dataDir, where));

export const markRestoreEnded = (dataDir: string, where: DeploymentTarget) =>
  removeFile(markOf(dataDir, where));

/** @throws Error naming the archive to restore again, if a restore was interrupted */
export function refuseUnfinishedRestore(dataDir: string, where: DeploymentTarget): void {
  if (!isRestoreUnfinished(dataDir, where)) return;
  const [, words = '', written = ''] =
    /^(?:( --.*)\n)?([^]*)$/.exec(readFileSync(markOf(dataDir, where), 'utf8')) ?? [];
  const archive = written === '' ? '<archive>' : quoteForShell(written);
  const [place, overwrite, afresh] =
    where === LOCAL
      ? [printable(dataDir), ' --overwrite local', ', or set DATA_DIR to another folder']
      : [`the deployment ${where}`, '', ''];
  throw new Error(
    `a restore into ${place} was interrupted, so neither the old data nor the data of the archive are complete there: run the restore again. First step: ${restoreCommandLine(dataDir, where, archive, overwrite + words)}${afresh}`,
  );
}

/*
 * The demo data is loaded into two databases, one after the other. While it is loaded, a file in the data
 * folder marks this. If the loading is interrupted, the next start loads the rest.
 */

const demoMarkOf = (dataDir: string) => join(dataDir, 'demo-unfinished');

export function markDemoLoadBegun(dataDir: string): void {
  replaceFile(demoMarkOf(dataDir), '');
}

export const isDemoLoadUnfinished = (dataDir: string) => existsSync(demoMarkOf(dataDir));

export const markDemoLoadEnded = (dataDir: string) => removeFile(demoMarkOf(dataDir));
