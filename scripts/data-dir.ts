import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lockOf = (dataDir: string) => join(dataDir, 'run.pid');

/**
 * Two runs on one database would lose each other's writes: the second one is refused.
 * @throws Error that names the process that holds the folder
 */
export function claimDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    const lock = lockOf(dataDir);
    const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : undefined;
    if (owner !== undefined && owner !== process.pid && isRunning(owner)) {
      throw new Error(`it is in use by process ${owner}`);
    }
    writeFileSync(lock, String(process.pid));
  } catch (error) {
    throw new Error(
      `the data folder ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** Lets go of the data folder, if this process holds it. */
export function releaseDataDir(dataDir: string): void {
  const lock = lockOf(dataDir);
  if (existsSync(lock) && Number(readFileSync(lock, 'utf8')) === process.pid) rmSync(lock);
}

/** A process of that number may be another program by now, so its command line is asked where there is one. */
function isRunning(pid: number): boolean {
  const commandLine = `/proc/${pid}/cmdline`;
  if (existsSync('/proc/self/cmdline')) {
    return (
      existsSync(commandLine) &&
      /local\/start\.ts|backup\/restore\.ts/.test(readFileSync(commandLine, 'utf8'))
    );
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
