import { PICTURE_BYTES, studentIdsIn } from '#contract/pictures';
import type { Student } from '#contract/students';

/** What is known of a file before anything is sent. */
export type Match<Item extends { name: string }> = {
  /** Place in the choice, from 0: two files may have all else in common. */
  at: number;
  file: Item;
} & ({ kind: 'matched'; student: Student } | { kind: 'refused'; reason: string });

/** The browser scales larger files than the server takes; there is an end to what it can read. */
export const LARGEST_FILE = 5 * PICTURE_BYTES;

/** Which file belongs to which student. Of two files for one student the last is sent. */
export function matchPictures<Item extends { name: string; type: string; size: number }>(
  files: readonly Item[],
  students: readonly Student[],
): Match<Item>[] {
  const byId = new Map(students.map((student) => [student.id, student]));
  const ids = new Set(byId.keys());
  const lastFor = new Map<string, Item>();
  const found = files.map((file) => {
    const result = studentOf(file, ids, byId);
    if (typeof result !== 'string') lastFor.set(result.id, file);
    return { file, result };
  });
  return found.map(({ file, result }, at) => {
    if (typeof result === 'string') return { at, file, kind: 'refused', reason: result };
    const last = lastFor.get(result.id);
    if (last === file) return { at, file, kind: 'matched', student: result };
    return { at, file, kind: 'refused', reason: `${result.name} 학생의 다른 파일(${last?.name})을 씁니다` };
  });
}

/** The one student whose id a file's name contains, or why there is none. */
function studentOf(
  { name, type, size }: { name: string; type: string; size: number },
  ids: ReadonlySet<string>,
  byId: ReadonlyMap<string, Student>,
): Student | string {
  if (/\.(heic|heif)$/i.test(name) || /hei[cf]/.test(type)) return 'HEIC는 쓸 수 없습니다. JPEG로 바꾸세요';
  if (!/^image\/(jpeg|png|webp)$/.test(type)) return '이미지 파일이 아닙니다 (JPEG, PNG, WebP)';
  if (size > LARGEST_FILE) return '파일이 너무 큽니다';
  const [first, second] = studentIdsIn(name.normalize('NFC'), ids);
  if (first === undefined) return '파일 이름에 명단의 학번이 없습니다';
  if (second !== undefined) return `학번이 둘 이상입니다: ${first}, ${second}`;
  return byId.get(first) ?? '파일 이름에 명단의 학번이 없습니다';
}
