import { PICTURE_BYTES, pictureOwner } from '#contract/pictures';
import type { Student } from '#contract/students';
import { lettersOf, otherNameIn } from './name-in-file.ts';

/** What is known of a file before the upload. */
export type Match<Item extends { name: string }> = {
  /** Position in the selection, from 0; two files may otherwise be equal. */
  at: number;
  file: Item;
  /** What makes the file's name doubtful; the user has to decide. */
  doubt?: string;
} & ({ kind: 'matched' | 'asked'; student: Student } | { kind: 'refused'; reason: string });

/** The browser scales down files larger than the server accepts, up to this size. */
export const LARGEST_FILE = 5 * PICTURE_BYTES;

/**
 * Matches files with students. Of two files for one student, the last is sent.
 * @param confirmed positions of files whose doubtful match is right
 */
export function matchPictures<Item extends { name: string; type: string; size: number }>(
  files: readonly Item[],
  students: readonly Student[],
  confirmed: ReadonlySet<number> = new Set(),
): Match<Item>[] {
  const byId = new Map(students.map((student) => [student.id, student]));
  const ids = new Set(byId.keys());
  const names = new Set(students.map(({ name }) => lettersOf(name)).filter((letters) => letters.length > 1));
  const lastFor = new Map<string, number>();
  const found = files.map((file, at) => {
    const result = studentOf(file, { ids, byId, names });
    if ('student' in result && (!result.doubt || confirmed.has(at))) lastFor.set(result.student.id, at);
    return { file, result };
  });
  const matchOf = (file: Item, result: Owner, at: number): Match<Item> => {
    if ('reason' in result) return { at, file, kind: 'refused', ...result };
    const last = lastFor.get(result.student.id);
    if (last === at) return { at, file, kind: 'matched', ...result };
    if (result.doubt !== undefined && !confirmed.has(at)) return { at, file, kind: 'asked', ...result };
    const { doubt, student } = result;
    const reason = `${student.name} 학생의 다른 파일(${files[last ?? at]?.name})을 씁니다`;
    return { at, file, kind: 'refused', reason, ...(doubt !== undefined && { doubt }) };
  };
  return found.map(({ file, result }, at) => matchOf(file, result, at));
}

type Roster = {
  ids: ReadonlySet<string>;
  byId: ReadonlyMap<string, Student>;
  /** By their letters. */
  names: ReadonlySet<string>;
};
type Owner = { student: Student; doubt?: string } | { reason: string };

/** The only student whose id occurs in a file name, or why there is none. */
function studentOf(
  { name, type, size }: { name: string; type: string; size: number },
  { ids, byId, names }: Roster,
): Owner {
  // Safari alone reads HEIC: whether this browser does shows when the picture is scaled.
  const isMaybeHeic = /\.(heic|heif)$/i.test(name) || /^image\/hei[cf]/.test(type);
  if (!isMaybeHeic && !/^image\/(jpeg|png|webp)$/.test(type))
    return { reason: '이미지 파일이 아닙니다 (JPEG, PNG, WebP)' };
  if (size > LARGEST_FILE) return { reason: '파일이 너무 큽니다' };
  const owner = pictureOwner(name, ids);
  if (owner.kind === 'several')
    return { reason: `학번이 둘 이상입니다: ${owner.studentIds.slice(0, 2).join(', ')}` };
  const student = owner.kind === 'none' ? undefined : byId.get(owner.studentId);
  if (!student) return { reason: '파일 이름에 명단의 학번이 없습니다' };
  const other = otherNameIn(name, student, names);
  const doubts = [
    ...(owner.kind === 'asked' ? [`${student.id}: 학번이 아니라 찍은 날짜나 시각일 수 있습니다`] : []),
    ...(other === undefined ? [] : [`파일 이름에 다른 이름(${other})이 있습니다`]),
  ];
  return doubts.length === 0 ? { student } : { student, doubt: doubts.join('. ') };
}
