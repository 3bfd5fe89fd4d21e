/** One request's limits: bytes of one file, number of files, bytes of all. */
export const PICTURE_BYTES = 10 * 1024 * 1024;
export const PICTURES_PER_REQUEST = 100;
export const UPLOAD_BYTES = 50 * 1024 * 1024;
/** The browser sends this many at a time. */
export const PICTURES_PER_BATCH = 20;

/** Types that are accepted, by content. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** Answer of POST /api/upload. */
export type UploadResult = {
  stored: { name: string; studentId: string }[];
  rejected: { name: string; reason: string }[];
};

/**
 * The roster ids that a file's name contains, each as a whole run of letters, digits and hyphens, or as one side of a
 * hyphen. A picture belongs to the one id found; none or several are a rejection.
 * @param fileName the file's own name, without a folder
 * @param ids ids of the roster
 */
export function studentIdsIn(fileName: string, ids: ReadonlySet<string>): string[] {
  const stem = fileName.replace(/\.[^.]*$/, '');
  const words: string[] = stem.match(/[0-9A-Za-z-]{4,}/g) ?? [];
  const parts = words.concat(words.flatMap((word) => word.split('-')));
  return [...new Set(parts.filter((part) => ids.has(part)))];
}
