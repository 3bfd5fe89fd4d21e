import { HOUR_MS } from '#contract/time';

/** An object may be without a record for as long as its upload takes. */
const ORPHAN_AFTER_MS = HOUR_MS;

/**
 * Removes what R2 holds for nobody under a prefix: what is left of a request that ended before its time.
 * @param withoutRecord picks the ids, an object's key without the prefix, that no record knows
 * @returns how many were removed
 */
export async function removeOrphanFiles(
  files: R2Bucket,
  prefix: string,
  withoutRecord: (ids: string[]) => Promise<string[]>,
): Promise<number> {
  let removed = 0;
  let cursor: string | undefined;
  do {
    // A page holds as many objects as R2 deletes at once.
    const page = await files.list({ prefix, ...(cursor !== undefined && { cursor }) });
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < Date.now() - ORPHAN_AFTER_MS);
    const orphans = await withoutRecord(old.map(({ key }) => key.slice(prefix.length)));
    if (orphans.length > 0) await files.delete(orphans.map((id) => prefix + id));
    removed += orphans.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return removed;
}
