import { PICTURE_BYTES_MAX, findPictureOwner } from '#contract/pictures';
import type { Student } from '#contract/students';

/** The match between a file and a student before the upload. */
export type PictureMatch<Item extends { name: string }> = {
  /** Index in the selection; needed because two files may otherwise be equal. */
  at: number;
  file: Item;
  /** Why the file name is doubtful; the user has to decide. */
  doubt?: string;
  /** The user has assigned the student by hand. */
  isByHand?: true;
} & (
  | { kind: 'matched' | 'asked'; student: Student }
  /** Not matched yet: `open` files can be assigned to a student by hand. */
  | { kind: 'open' | 'refused'; reason: string }
);

/** The browser scales down files larger than the server accepts, up to this size. */
export const PICTURE_FILE_BYTES_MAX = 5 * PICTURE_BYTES_MAX;

/**
 * Matches files with students. Of several files for one student, the last is sent.
 * @param confirmed indexes of files whose doubtful match the user confirmed
 * @param byHand students assigned by the user, by file index
 */
export function matchPictures<Item extends { name: string; type: string; size: number }>(
  files: readonly Item[],
  students: readonly Student[],
  confirmed: ReadonlySet<number> = new Set(),
  byHand: ReadonlyMap<number, Student> = new Map(),
): PictureMatch<Item>[] {
  const byId = new Map(students.map((student) => [student.id, student]));
  const ids = new Set(byId.keys());
  const names = new Set(students.map(({ name }) => lettersOf(name)).filter((letters) => letters.length > 1));
  const lastFor = new Map<string, number>();
  const found = files.map((file, at) => {
    const said = byHand.get(at);
    const result: Owner = said ? { student: said, isByHand: true } : studentOf(file, { ids, byId, names });
    if ('student' in result && (!result.doubt || confirmed.has(at))) lastFor.set(result.student.id, at);
    return { file, result };
  });
  const matchOf = (file: Item, result: Owner, at: number): PictureMatch<Item> => {
    if ('reason' in result) {
      const { reason, isOpen = false } = result;
      return { at, file, kind: isOpen ? 'open' : 'refused', reason };
    }
    const last = lastFor.get(result.student.id);
    if (last === at) return { at, file, kind: 'matched', ...result };
    if (result.doubt !== undefined && !confirmed.has(at)) return { at, file, kind: 'asked', ...result };
    const { doubt, isByHand, student } = result;
    const reason = `${student.name} 학생의 다른 파일(${files[last ?? at]?.name})을 씁니다`;
    return {
      at,
      file,
      kind: 'refused',
      reason,
      ...(doubt !== undefined && { doubt }),
      ...(isByHand && { isByHand }),
    };
  };
  return found.map(({ file, result }, at) => matchOf(file, result, at));
}

type Roster = {
  ids: ReadonlySet<string>;
  byId: ReadonlyMap<string, Student>;
  /** The students' names, as lettersOf() returns them. */
  names: ReadonlySet<string>;
};
type Owner = { student: Student; doubt?: string; isByHand?: true } | { reason: string; isOpen?: true };

/** The only student whose id occurs in the file name, or the reason why there is none. */
function studentOf(
  { name, type, size }: { name: string; type: string; size: number },
  { ids, byId, names }: Roster,
): Owner {
  // Only Safari decodes HEIC, so scaling the picture later shows whether this browser can decode the file.
  const isMaybeHeic = /\.(heic|heif)$/i.test(name) || /^image\/hei[cf]/.test(type);
  if (!isMaybeHeic && !/^image\/(jpeg|png|webp)$/.test(type))
    return { reason: '이미지 파일이 아닙니다 (JPEG, PNG, WebP)' };
  if (size > PICTURE_FILE_BYTES_MAX) return { reason: '파일이 너무 큽니다' };
  const owner = findPictureOwner(name, ids);
  if (owner.kind === 'several')
    return { reason: `학번이 둘 이상입니다: ${owner.studentIds.slice(0, 2).join(', ')}`, isOpen: true };
  const student = owner.kind === 'none' ? undefined : byId.get(owner.studentId);
  if (!student) return { reason: '파일 이름에 명단의 학번이 없습니다', isOpen: true };
  const other = otherNameIn(name, student, names);
  const doubts = [
    ...(owner.kind === 'asked' ? [`${student.id}: 학번이 아니라 찍은 날짜나 시각일 수 있습니다`] : []),
    ...(other === undefined ? [] : [`파일 이름에 다른 이름(${other})이 있습니다`]),
  ];
  return doubts.length === 0 ? { student } : { student, doubt: doubts.join('. ') };
}

/** Korean family names, and words that occur beside a name in file names. */
const FAMILIES = new Set(
  '김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편예봉',
);
const DOUBLE_FAMILIES = /^(?:남궁|선우|황보|제갈|독고|사공|서문|동방)[가-힣]{1,2}$/;
const WORDS =
  /증명|사진|학생증|신분증|여권|명함|프로필|이미지|얼굴|정면|전신|상반신|최종|수정|원본|복사|제출|출석부?|등록|과제|이름|성명|학번|학과|학부|전공|학년|학기|대학교?|대학원|재학생?|휴학생?|졸업생?|신입생|수강생|조교|스크린샷|캡처|화면|스캔|흑백|컬러|배경|용$/g;

/**
 * A name in the file name that is not the student's name: another student's name, or a word that looks like a
 * Korean name. Undefined if the file name contains the student's name, or no name.
 * @param names every student's name, as lettersOf() returns it
 */
function otherNameIn(
  fileName: string,
  student: Pick<Student, 'id' | 'name' | 'department' | 'subjects'>,
  names: ReadonlySet<string>,
): string | undefined {
  const stem = fileName
    .normalize('NFC')
    .replace(/\.[^.]*$/, '')
    .replaceAll(student.id, ' ');
  const tokens: string[] = stem.match(/\p{L}+/gu) ?? [];
  const runs = runsOf(tokens);
  if (runs.some((run) => lettersOf(run) === lettersOf(student.name))) return undefined;
  const found = runs.find((run) => names.has(lettersOf(run)));
  if (found !== undefined) return found;
  if (isNamed(student.name, stem, tokens)) return undefined;
  const known = lettersOf([student.department, ...student.subjects].join(' '));
  return tokens
    .filter((token) => !known.includes(lettersOf(token)))
    .map((token) => token.replaceAll(WORDS, ''))
    .find(isLikeName);
}

/** The letters of a text in lower case, without spaces and signs. */
const lettersOf = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '');

/** Whether the file name contains the name, also shortened or in another order: `An_Nguyen`. */
function isNamed(name: string, stem: string, tokens: string[]): boolean {
  if (lettersOf(stem).includes(lettersOf(name))) return true;
  const parts = name.split(/\s+/).map(lettersOf);
  return parts.length > 1 && tokens.some((token) => token.length > 1 && parts.includes(lettersOf(token)));
}

/** All sequences of one to three neighbouring words, longest first. */
function runsOf(tokens: readonly string[]): string[] {
  return [3, 2, 1].flatMap((length) =>
    tokens
      .slice(0, Math.max(0, tokens.length - length + 1))
      .map((_, at) => tokens.slice(at, at + length).join(' ')),
  );
}

function isLikeName(token: string): boolean {
  if (DOUBLE_FAMILIES.test(token)) return true;
  return /^[가-힣]{3}$/.test(token) && FAMILIES.has(token.slice(0, 1));
}
