import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { join, resolve } from 'node:path';
import { createSystemError } from './system-error.ts';

type Owner = Pick<Stats, 'uid' | 'gid'>;

const NOBODY = 65_534;
const LINKS_MAX = 40;
const PASS_OTHERS = 0o001;

/**
 * Runs `work` in a folder. If the process is root's, the first user on the folder's path who is not root runs
 * `work`: otherwise a symbolic link made by that user could lead root to any file. If that user cannot reach
 * the folder, as below /var/lib/private, root runs `work`.
 * @throws Error (ELOOP) for a symbolic link on the path that root has not made
 */
export function runAsOwner<T>(folder: string, work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  const owner = ownerOnWay(folder);
  if (owner === undefined) return work();
  const [group, groups] = [process.getegid?.() ?? 0, process.getgroups?.() ?? []];
  // Root's own group would give access that the owner does not have.
  const theirs = owner.gid === 0 ? NOBODY : owner.gid;
  try {
    process.setgroups?.([theirs]);
    process.setegid?.(theirs);
    process.seteuid?.(owner.uid);
    return work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(group);
    process.setgroups?.(groups);
  }
}

/** The first owner on the path who is not root; undefined if there is none, or if they cannot get there. */
function ownerOnWay(folder: string): Owner | undefined {
  let owner: Owner | undefined;
  let canGo = true;
  let at = '/';
  const names = (path: string) => path.split('/').filter((name) => name !== '');
  const rest = names(resolve(folder));
  for (let links = 0; rest.length > 0;) {
    const next = join(at, rest.shift() ?? '');
    const found = lstatSync(next, { throwIfNoEntry: false });
    if (found === undefined) break;
    if (found.isSymbolicLink()) {
      links += 1;
      if (owner !== undefined || found.uid !== 0 || links > LINKS_MAX) throw createSystemError('ELOOP', next);
      rest.unshift(...names(resolve(at, readlinkSync(next))));
      at = '/';
      continue;
    }
    at = next;
    if (owner !== undefined) continue;
    if (found.uid !== 0) owner = found;
    else if ((found.mode & PASS_OTHERS) === 0) canGo = false;
  }
  return canGo ? owner : undefined;
}
