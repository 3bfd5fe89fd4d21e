/** Limits of one request: bytes per file, number of files, total bytes. */
export const PICTURE_BYTES_MAX = 10 * 1024 * 1024;
export const PICTURES_PER_REQUEST = 100;
export const UPLOAD_BYTES_MAX = 50 * 1024 * 1024;
export const PICTURES_PER_BATCH = 20;

/** Limits of what browsers have to decode, in pixels: 50 megapixels are enough for telephone photographs. */
export const PICTURE_PIXELS_MAX = 50_000_000;
export const PICTURE_SIDE_MAX = 16_384;

/** Accepted file types; the type is detected from the file's content, not its name. */
const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** Detects HEIC, the iPhone's format, under any file name: only Safari can show it, and no worker can. */
export function isHeic(bytes: Uint8Array): boolean {
  const brand = String.fromCharCode(...bytes.subarray(4, 12));
  return /^ftyp(?:he[iv]|mif|msf)/.test(brand);
}
export const HEIC_ADVICE =
  'HEIC 사진입니다. 이름만 바꾸지 말고 JPEG로 변환해 올리세요 (아이폰: 설정 > 카메라 > 포맷 > 높은 호환성)';

/** Response of POST /api/upload. */
export type UploadResult = {
  stored: { name: string; studentId: string }[];
  rejected: { name: string; reason: string }[];
};

/** The student to whom a picture belongs, judged by the file name. */
type PictureOwner =
  | { kind: 'one'; studentId: string }
  /** The id stands where cameras write a date, time or counter, so a person has to confirm it. */
  | { kind: 'asked'; studentId: string }
  | { kind: 'several'; studentIds: string[] }
  | { kind: 'none' };

const YEAR = '(?:19|20)\\d\\d';
const MONTH_DAY = (gap: string) => `${gap}(?:0?[1-9]|1[0-2])${gap}(?:0?[1-9]|[12]\\d|3[01])`;
const DAY = `${YEAR}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|${MONTH_DAY('[-._ ]')}|${MONTH_DAY('[년월] ?')}일?)`;
const TIME = '\\d{1,2}[-._:시 ]?[0-5]\\d(?:[-._:분 ]?[0-5]\\d)?(?:[-._]?\\d{1,6})?';
const CAMERAS =
  '(?:IMG|VID|MVIMG|PXL|PANO|BURST|DSC|DSCN|DSCF|SAM|CIMG|IMGP|MVI|DJI|GOPR|FB_IMG|received|mmexport|wx_camera|signal|photo|image|picture|KakaoTalk|KakaoTalk_Photo|WhatsApp Image|Telegram|LINE|LINE_ALBUM|SNOW|B612|Snapchat|Screenshot|Screen Shot|Screen_Shot|Capture|스크린샷|화면 캡처|캡처|사진)';

/** Dates, times and counters that devices put into file names. */
const stamps = new RegExp(
  [
    // Date and time: 20230915_101530, 2023-09-15 10.15.30, 2023-09-15 at 10.15.30, 20230915101530123
    `(?<!\\d)${DAY}(?:[-_. T]{1,3}|,? ?(?:at|오전|오후) ?)${TIME}(?!\\d)`,
    `(?<!\\d)${DAY}\\d{6,12}(?!\\d)`,
    // After a camera's prefix: IMG-20230915-WA0001, Screenshot_20230915, DSC01234, IMG_4567
    `(?<![0-9A-Za-z])${CAMERAS}[-_ ]{0,3}(?:${DAY}(?!\\d)[-_0-9A-Za-z]*|${DAY}\\d{6,12}|\\d{3,5}(?!\\d))`,
    // Separated dates; Unix times in seconds and milliseconds; long numbers written by messengers
    `(?<!\\d)${YEAR}${MONTH_DAY('[-._]')}(?!\\d)`,
    `(?<![0-9A-Za-z])1\\d{9}(?:\\d{3})?(?![0-9A-Za-z])`,
    `(?<![0-9A-Za-z])(?:FB_IMG|received|mmexport)[-_ ]?\\d+`,
  ].join('|'),
  'giu',
);

/** `2026-001`: no device writes such a number, so it is a student number beside any word. */
const YEAR_AND_NUMBER = new RegExp(`^${YEAR}-(?:\\d{3}|\\d{5,})$`, 'u');

/**
 * Finds the one student whose id is contained in a file name.
 * @param fileName without a folder
 * @param ids ids of the roster
 */
export function findPictureOwner(fileName: string, ids: ReadonlySet<string>): PictureOwner {
  const stem = fileName.normalize('NFC').replace(/\.[^.]*$/, '');
  const whole = studentIdsIn(stem, ids).filter((id) => YEAR_AND_NUMBER.test(id));
  const clear = [...new Set([...whole, ...studentIdsIn(stem.replace(stamps, ' '), ids)])];
  const [studentId, ...others] = clear.length > 0 ? clear : studentIdsIn(stem, ids);
  if (studentId === undefined) return { kind: 'none' };
  if (others.length > 0) return { kind: 'several', studentIds: [studentId, ...others] };
  return { kind: clear.length > 0 ? 'one' : 'asked', studentId };
}

/** The ids in a text, each as a complete run of letters, digits and hyphens or as one side of a hyphen. */
function studentIdsIn(text: string, ids: ReadonlySet<string>): string[] {
  const words: string[] = text.match(/[0-9A-Za-z-]{4,}/g) ?? [];
  const parts = words.concat(words.flatMap((word) => word.split('-')));
  return [...new Set(parts.filter((part) => ids.has(part)))];
}
