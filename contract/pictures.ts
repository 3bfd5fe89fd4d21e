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

/** To whom a picture belongs by its file's name. */
export type PictureOwner =
  | { kind: 'one'; studentId: string }
  /** The id stands where cameras and messengers write a date, a time or a counter: somebody has to say. */
  | { kind: 'asked'; studentId: string }
  | { kind: 'several'; studentIds: string[] }
  | { kind: 'none' };

const YEAR = '(?:19|20)\\d\\d';
const MONTH_DAY = (gap: string) => `${gap}(?:0?[1-9]|1[0-2])${gap}(?:0?[1-9]|[12]\\d|3[01])`;
const DAY = `${YEAR}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|${MONTH_DAY('[-._ ]')}|${MONTH_DAY('[년월] ?')}일?)`;
const TIME = '\\d{1,2}[-._:시 ]?[0-5]\\d(?:[-._:분 ]?[0-5]\\d)?(?:[-._]?\\d{1,6})?';
const CAMERAS =
  '(?:IMG|VID|MVIMG|PXL|PANO|BURST|DSC|DSCN|DSCF|SAM|CIMG|IMGP|MVI|DJI|GOPR|FB_IMG|received|mmexport|wx_camera|signal|photo|image|picture|KakaoTalk|KakaoTalk_Photo|WhatsApp Image|Telegram|LINE|LINE_ALBUM|SNOW|B612|Snapchat|Screenshot|Screen Shot|Screen_Shot|Capture|스크린샷|화면 캡처|캡처|사진)';

/** What a device writes into a name by itself. */
const stamps = new RegExp(
  [
    // A date and a time: 20230915_101530, 2023-09-15 10.15.30, 2023-09-15 at 10.15.30, 20230915101530123
    `(?<!\\d)${DAY}(?:[-_. T]{1,3}|,? ?(?:at|오전|오후) ?)${TIME}(?!\\d)`,
    `(?<!\\d)${DAY}\\d{6,12}(?!\\d)`,
    // What stands behind a camera's own word: IMG-20230915-WA0001, Screenshot_20230915, DSC01234, IMG_4567
    `(?<![0-9A-Za-z])${CAMERAS}[-_ ]{0,3}(?:${DAY}(?!\\d)[-_0-9A-Za-z]*|${DAY}\\d{6,12}|\\d{3,5}(?!\\d))`,
    // A date with something between its parts; seconds and milliseconds since 1970; long numbers of messengers
    `(?<!\\d)${YEAR}${MONTH_DAY('[-._]')}(?!\\d)`,
    `(?<![0-9A-Za-z])1\\d{9}(?:\\d{3})?(?![0-9A-Za-z])`,
    `(?<![0-9A-Za-z])(?:FB_IMG|received|mmexport)[-_ ]?\\d+`,
  ].join('|'),
  'giu',
);

/**
 * The one student of the roster whose id a file's name contains.
 * @param fileName the file's own name, without a folder
 * @param ids ids of the roster
 */
export function pictureOwner(fileName: string, ids: ReadonlySet<string>): PictureOwner {
  const stem = fileName.normalize('NFC').replace(/\.[^.]*$/, '');
  const clear = studentIdsIn(stem.replace(stamps, ' '), ids);
  const [studentId, ...others] = clear.length > 0 ? clear : studentIdsIn(stem, ids);
  if (studentId === undefined) return { kind: 'none' };
  if (others.length > 0) return { kind: 'several', studentIds: [studentId, ...others] };
  return { kind: clear.length > 0 ? 'one' : 'asked', studentId };
}

/** The ids that a text contains, each as a whole run of letters, digits and hyphens, or as one side of a hyphen. */
function studentIdsIn(text: string, ids: ReadonlySet<string>): string[] {
  const words: string[] = text.match(/[0-9A-Za-z-]{4,}/g) ?? [];
  const parts = words.concat(words.flatMap((word) => word.split('-')));
  return [...new Set(parts.filter((part) => ids.has(part)))];
}
