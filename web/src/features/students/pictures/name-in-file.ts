import type { Student } from '#contract/students';

/** Family names, and words beside a name in the names of files. */
const FAMILIES = new Set(
  '김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편예봉',
);
const DOUBLE_FAMILIES = /^(?:남궁|선우|황보|제갈|독고|사공|서문|동방)[가-힣]{1,2}$/;
const WORDS =
  /증명|사진|학생증|신분증|여권|명함|프로필|이미지|얼굴|정면|전신|상반신|최종|수정|원본|복사|제출|출석부?|등록|과제|이름|성명|학번|학과|학부|전공|학년|학기|대학교?|대학원|재학생?|휴학생?|졸업생?|신입생|수강생|조교|스크린샷|캡처|화면|스캔|흑백|컬러|배경|용$/g;

/**
 * A name in a file's name that is not the student's: another student's, or a word that looks like a Korean name.
 * Undefined if the file names the student, or nobody.
 * @param names what lettersOf() makes of every student's name
 */
export function otherNameIn(
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

/** Without case, spaces and signs. */
export const lettersOf = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '');

/** A name of several words may be shortened or turned round: `An_Nguyen`. */
function isNamed(name: string, stem: string, tokens: string[]): boolean {
  if (lettersOf(stem).includes(lettersOf(name))) return true;
  const parts = name.split(/\s+/).map(lettersOf);
  return parts.length > 1 && tokens.some((token) => token.length > 1 && parts.includes(lettersOf(token)));
}

/** One to three words beside each other, longest first. */
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
