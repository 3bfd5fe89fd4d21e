import type { PeopleGroup } from './people-groups.ts';

/**
 * The one model of the public pages' content, in the order of the editor's form. The type, the schema, the
 * checks before publication, the empty content and the form are derived from this model. This file does not
 * import zod: the editor's script needs only the labels and would have to load zod too.
 */

/** The format that a one-line text must have; content/publication-rules.ts checks these formats. */
export type FieldRule =
  | 'day'
  | 'email'
  | 'phone'
  | 'link'
  | 'papers'
  | 'topic'
  | 'years'
  | 'file'
  | 'homepage'
  | 'scholar'
  | 'orcid'
  | 'github';

type Words = { label: string; hint?: string };
export type FieldModels = Record<string, FieldModel>;
/** A text in both languages. An optional text may be empty in both. `max` is a number of characters. */
export type BilingualFieldModel = Words & { kind: 'both'; max: number; isOptional?: boolean };
export type TextFieldModel = Words & { kind: 'text'; max: number; rule?: FieldRule; isNeeded?: boolean };
export type NumberFieldModel = Words & { kind: 'number'; most: number };
/** A nullable group is a part that a page may lack. A photograph is a group with `file` and `alt`. */
export type GroupFieldModel = Words & {
  kind: 'group';
  fields: FieldModels;
  isNullable: boolean;
  isPhotograph?: boolean;
};
/** `missing`: the error message for an empty list, if the content cannot be published without an item. */
export type ListFieldModel = Words & {
  kind: 'list';
  item: BilingualFieldModel | GroupFieldModel;
  missing?: string;
};
export type NullFieldModel = Words & { kind: 'null' };
export type FieldModel =
  BilingualFieldModel | TextFieldModel | NumberFieldModel | GroupFieldModel | ListFieldModel | NullFieldModel;

/* Maximum length of each kind of text, in characters. */
export const TEXT_LENGTH_MAX = 2000;
const NAME_MAX = 100;
const LINE_MAX = 200;
const WORD_MAX = 50;
const ADDRESS_MAX = 500;

type BothMore = { hint?: string; isOptional?: boolean };
const both = (label: string, max: number, more: BothMore = {}) => ({
  kind: 'both' as const,
  label,
  max,
  ...more,
});
const name = (label = '이름') => both(label, NAME_MAX);
const line = (label: string, more?: BothMore) => both(label, LINE_MAX, more);
const text = (label: string, more?: BothMore) => both(label, TEXT_LENGTH_MAX, more);
type TextMore = Pick<TextFieldModel, 'hint' | 'rule' | 'isNeeded'>;
const word = (label: string, more: TextMore = {}, max = WORD_MAX) => ({
  kind: 'text' as const,
  label,
  max,
  ...more,
});
const day = (label: string, hint?: string) =>
  word(label, { rule: 'day', ...(hint === undefined ? { isNeeded: true } : { hint }) });
const address = (label: string, rule: FieldRule, more: TextMore = {}) =>
  word(label, { rule, ...more }, ADDRESS_MAX);
const link = (label = '링크 주소', hint = '비워 두거나 https://… 또는 /publications처럼 쓰세요') =>
  address(label, 'link', { hint });
const email = (label = '이메일', isNeeded = true) =>
  address(label, 'email', { isNeeded, hint: '방문자에게는 @ 대신 AT으로 보입니다' });
const number = (label: string, most: number) => ({ kind: 'number' as const, label, most });
const group = <Inside extends FieldModels>(label: string, fields: Inside) => ({
  kind: 'group' as const,
  label,
  fields,
  isNullable: false as const,
});
const part = <Inside extends FieldModels>(label: string, fields: Inside) => ({
  kind: 'group' as const,
  label,
  fields,
  isNullable: true as const,
});
type ListMore = { hint?: string; missing?: string };
const listOf = <Item extends BilingualFieldModel | GroupFieldModel>(
  label: string,
  item: Item,
  more: ListMore = {},
) => ({
  kind: 'list' as const,
  label,
  item,
  ...more,
});
const list = <Inside extends FieldModels>(label: string, fields: Inside, more?: ListMore) =>
  listOf(label, group('', fields), more);

/** A file of content/photographs or the id of an uploaded photograph, and the alternative text. */
const shot = {
  file: address('파일', 'file', { isNeeded: true }),
  alt: text('사진을 볼 수 없는 사람을 위한 설명'),
};
const photograph = { ...part('사진', shot), isPhotograph: true };
const photographs = (label: string) =>
  listOf(label, { ...group('사진', { ...shot, caption: text('사진 설명') }), isPhotograph: true });

const personWith = <Photograph extends FieldModel>(photograph: Photograph) => ({
  name: name(),
  position: line('직위'),
  department: line('소속'),
  photograph,
  office: line('연구실 위치', { isOptional: true }),
  email: email('이메일', false),
  phone: word('전화', { rule: 'phone', hint: '02-000-0000. 영어로는 +82-2-000-0000으로 보입니다' }),
  links: group('링크', {
    homepage: address('홈페이지', 'homepage'),
    scholar: address('Google Scholar', 'scholar'),
    orcid: address('ORCID', 'orcid'),
    github: address('GitHub', 'github'),
  }),
  interests: listOf('관심 분야', line('')),
  years: word('있던 기간', { hint: '졸업생: 2018–2023' }),
  after: line('졸업 뒤에 간 곳', { isOptional: true }),
});
const people = (label: string) => list(label, personWith(photograph));
/** A photograph's file is public, so people whose names are not public have no photograph. */
const members = (label: string) =>
  list(label, personWith({ kind: 'null' as const, label: '사진' }), {
    hint: '이름이 공개되지 않습니다. 로그인한 구성원에게만 보입니다',
  });

export const contentModel = {
  lab: group('연구실', {
    name: name(),
    affiliation: line('소속'),
    lead: text('첫 화면의 한 문장'),
    email: email(),
    phone: word('전화', { rule: 'phone' }),
    address: listOf('주소', line('')),
    place: group('지도 위치', {
      name: line('건물'),
      /** Coordinates in WGS 84 degrees. */
      latitude: number('위도', 90),
      longitude: number('경도', 180),
    }),
  }),
  about: group('소개', {
    paragraphs: listOf('문단', text('')),
    topics: list('연구 주제', { name: line('이름'), text: text('설명') }),
    /** The drawing beside the text. */
    figure: group('소개의 그림', {
      alt: text('그림을 볼 수 없는 사람을 위한 설명'),
      caption: text('그림 설명'),
    }),
    /** One result of the laboratory as a number: a written figure, or the days since the date `since`. */
    result: part('첫 화면의 성과', {
      since: day('이 날부터 센 날수', '비우면 아래의 숫자가 보입니다'),
      figure: line('숫자와 단위', { isOptional: true }),
      text: text('설명'),
      source: line('출처'),
      link: link('출처의 주소', '/publications#paper-열쇠'),
    }),
    /** The drawing of the hardware on the first screen, and the parts that are numbered in the drawing. */
    hardware: part('첫 화면의 장치 그림', {
      alt: text('그림을 볼 수 없는 사람을 위한 설명'),
      caption: line('이름'),
      parts: listOf('번호를 붙인 부분', line('')),
    }),
  }),
  people: group('구성원', {
    professors: people('교수'),
    graduate_students: people('대학원생'),
    undergraduate_students: members('학부연구생'),
    graduate_alumnis: people('대학원 졸업생'),
    undergraduate_alumnis: members('학부 졸업생'),
  } satisfies Record<PeopleGroup, ListFieldModel>),
  projects: list('과제', {
    /** The English name of the project's research topic. */
    topic: word('연구 주제', { rule: 'topic', isNeeded: true }, LINE_MAX),
    name: line('이름'),
    years: word('기간', { rule: 'years', isNeeded: true, hint: '2026–2028' }),
    funder: line('지원'),
    text: text('설명'),
    link: link(),
    people: listOf('참여하는 사람', name('')),
    papers: word(
      '논문',
      { rule: 'papers', hint: '논문 목록의 열쇠를 띄어 쓰세요: kim2026soil kim2025node' },
      TEXT_LENGTH_MAX,
    ),
    code: link('코드 주소'),
    data: link('데이터 주소'),
    photograph,
  }),
  news: list(
    '소식',
    { date: day('날짜'), text: text('한 문장'), link: link() },
    { hint: '순서와 관계없이 날짜가 늦은 것부터 보입니다' },
  ),
  /** The invitation to join; null if the laboratory seeks no new members. */
  join: part('모집 안내', {
    mark: line('첫 화면의 한 줄'),
    heading: line('제목'),
    text: text('글'),
    positions: list(
      '모집 대상',
      { who: line('대상'), brings: text('지원 자격'), gets: text('지원 내용') },
      { missing: '누구를 찾는지 쓰거나 모집을 빼세요' },
    ),
    steps: listOf('지원 방법의 단계', text(''), { missing: '지원하는 방법을 쓰거나 모집을 빼세요' }),
    abroad: list('해외에서 지원하는 사람이 묻는 것', { question: text('질문'), answer: text('답') }),
    /** The last day of the invitation, in Seoul; empty for an invitation without an end. */
    until: day('마감일', '비우면 모집을 삭제할 때까지 표시됩니다'),
  }),
  photographs: photographs('장치와 장소의 사진'),
  ways: list('오시는 길', { by: line('무엇으로'), text: text('길') }),
  group: photographs('사람들의 사진(단체, 일하는 모습)'),
  /** Lists of seminars, thesis topics and the like. */
  lists: list('목록', {
    heading: line('제목'),
    items: list('항목', {
      when: word('시기', { hint: '2026-12-04, 석사' }),
      what: text('무엇'),
      who: line('누구', { isOptional: true }),
      link: link(),
    }),
  }),
  /** Who is responsible for personal data, and the notice's date; web/public/markdown has the rest. */
  privacy: group('개인정보', {
    officer: name('개인정보 보호책임자의 이름'),
    position: line('보호책임자의 직위'),
    email: email('보호책임자의 이메일'),
    phone: word('보호책임자의 전화', { rule: 'phone' }),
    since: day('처리방침을 적용하는 날'),
    earlier: list('이전 처리방침', {
      since: day('적용한 날'),
      text: text('그 다음에 바뀐 것'),
      link: link('이전 처리방침의 주소'),
    }),
  }),
  publications: { kind: 'text' as const, label: '논문', max: 500_000 },
};

/** An item of a list, or a group, with all keys and without any text. */
export const emptyItem = (item: BilingualFieldModel | GroupFieldModel): Record<string, unknown> =>
  item.kind === 'both'
    ? { ko: '', en: '' }
    : Object.fromEntries(Object.entries(item.fields).map(([key, field]) => [key, emptyValue(field)]));

export function emptyValue(field: FieldModel): unknown {
  if (field.kind === 'text') return '';
  if (field.kind === 'number') return 0;
  if (field.kind === 'list') return [];
  return field.kind === 'null' || (field.kind === 'group' && field.isNullable) ? null : emptyItem(field);
}
