/** Number, from 1, of the first row whose id occurs in an earlier one; undefined when all are unique. */
export function repeatedRow(ids: string[]): number | undefined {
  const seen = new Set<string>();
  const index = ids.findIndex((id) => seen.size === seen.add(id).size);
  return index === -1 ? undefined : index + 1;
}
