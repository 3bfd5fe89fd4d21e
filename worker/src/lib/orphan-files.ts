import { HOUR_MS } from '#contract/time';

/** An upload creates the object before its record, so a younger object is no orphan. */
const ORPHAN_AFTER_MS = HOUR_MS;

/**
 * Removes objects under a prefix that have no record, left behind by interrupted requests.
 * @param withoutRecord returns those ids (keys without the prefix) that have no record
 * @returns the number of removed objects
 */
export async function removeOrphanFiles(
  files: R2Bucket,
  prefix: string,
  withoutRecord: (ids: string[]) => Promise<string[]>,
): Promise<number> {
  let removed = 0;
  let cursor: string | undefined;
  do {
    // A page has at most as many objects as R2 deletes at once.
    const page = await files.list({ prefix, ...(cursor !== undefined && { cursor }) });
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < Date.now() - ORPHAN_AFTER_MS);
    const orphans = await withoutRecord(old.map(({ key }) => key.slice(prefix.length)));
    if (orphans.length > 0) await files.delete(orphans.map((id) => prefix + id));
    removed += orphans.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return removed;
}
