import type { Content } from '#contract/content';
import type { PeopleGroup } from '#contract/people-groups';

/* The form's fields, part by part, in the order of the page. */

export type Field = { key: string; label: string; hint?: string } & (
  | { kind: 'text' | 'number' | 'day' | 'photograph' }
  | { kind: 'both'; isLong?: true }
  | { kind: 'choice'; options: (content: Content) => { value: string; label: string }[] }
  | { kind: 'group'; fields: Field[]; absent?: object }
  | {
      kind: 'list';
      item: Field[] | 'both' | 'long';
      fresh: object;
      /** The lists to which an item may be moved. */
      groups?: { value: string; label: string }[];
    }
);

export type Part = {
  name: string;
  title: string;
  /** The content's key that this part edits; without a key, the part edits the whole content. */
  field?: string;
  /** Id of the page's section that shows this part. */
  section: string;
  fields: Field[];
};

const nothing = { ko: '', en: '' };
const both = (key: string, label: string, isLong?: true): Field => ({
  kind: 'both',
  key,
  label,
  ...(isLong && { isLong }),
});
const text = (key: string, label: string, hint?: string): Field => ({
  kind: 'text',
  key,
  label,
  ...(hint !== undefined && { hint }),
});
const AS_AT = '방문자에게는 @ 대신 AT으로 보입니다';
const LINK = '비워 두거나 https://… 또는 /publications처럼 쓰세요';

const person = [
  both('name', '이름'),
  both('position', '직위'),
  both('department', '소속'),
  both('office', '연구실 위치'),
  text('email', '이메일', AS_AT),
  text('phone', '전화', '02-000-0000. 영어로는 +82-2-000-0000으로 보입니다'),
  { kind: 'list', key: 'interests', label: '관심 분야', item: 'both', fresh: nothing },
  text('years', '있던 기간', '졸업생: 2018–2023'),
  both('after', '졸업 뒤에 간 곳'),
  {
    kind: 'group',
    key: 'links',
    label: '링크',
    fields: [
      text('homepage', '홈페이지'),
      text('scholar', 'Google Scholar'),
      text('orcid', 'ORCID'),
      text('github', 'GitHub'),
    ],
  },
] satisfies Field[];
const freshPerson = {
  name: nothing,
  position: nothing,
  department: nothing,
  office: nothing,
  email: '',
  phone: '',
  links: { homepage: '', scholar: '', orcid: '', github: '' },
  interests: [],
  years: '',
  after: nothing,
  photograph: null,
};
const photographs = (key: string, label: string): Field => ({
  kind: 'list',
  key,
  label,
  item: [{ kind: 'photograph', key: '', label: '사진' }, both('caption', '사진 설명')],
  fresh: { file: '', alt: nothing, caption: nothing },
});
const PEOPLE: { key: PeopleGroup; label: string; isPublic: boolean }[] = [
  { key: 'professors', label: '교수', isPublic: true },
  { key: 'graduate_students', label: '대학원생', isPublic: true },
  { key: 'undergraduate_students', label: '학부연구생', isPublic: false },
  { key: 'graduate_alumnis', label: '대학원 졸업생', isPublic: true },
  { key: 'undergraduate_alumnis', label: '학부 졸업생', isPublic: false },
];
const peopleList = ({ key, label, isPublic }: (typeof PEOPLE)[number]): Field => ({
  kind: 'list',
  key,
  label,
  item: isPublic ? [...person, { kind: 'photograph', key: 'photograph', label: '사진' }] : person,
  fresh: freshPerson,
  groups,
  ...(!isPublic && { hint: '이름이 공개되지 않습니다. 로그인한 구성원에게만 보입니다' }),
});
const groups = PEOPLE.map(({ key, label, isPublic }) => ({
  value: key,
  label: isPublic ? label : `${label} (이름 비공개)`,
}));

export const PARTS: Part[] = [
  {
    name: 'lab',
    section: 'title',
    title: '연구실',
    field: 'lab',
    fields: [
      both('name', '이름'),
      both('affiliation', '소속'),
      both('lead', '첫 화면의 한 문장', true),
      text('email', '이메일', AS_AT),
      text('phone', '전화'),
      { kind: 'list', key: 'address', label: '주소', item: 'both', fresh: nothing },
      {
        kind: 'group',
        key: 'place',
        label: '지도 위치',
        fields: [
          both('name', '건물'),
          { kind: 'number', key: 'latitude', label: '위도' },
          { kind: 'number', key: 'longitude', label: '경도' },
        ],
      },
    ],
  },
  {
    name: 'about',
    section: 'about',
    title: '소개',
    field: 'about',
    fields: [
      { kind: 'list', key: 'paragraphs', label: '문단', item: 'long', fresh: nothing },
      {
        kind: 'list',
        key: 'topics',
        label: '연구 주제',
        item: [both('name', '이름'), both('text', '설명', true)],
        fresh: { name: nothing, text: nothing },
      },
      {
        kind: 'group',
        key: 'figure',
        label: '소개의 그림',
        fields: [both('alt', '그림을 볼 수 없는 사람을 위한 설명', true), both('caption', '그림 설명')],
      },
      {
        kind: 'group',
        key: 'result',
        label: '첫 화면의 성과',
        absent: { since: '', figure: nothing, text: nothing, source: nothing, link: '' },
        fields: [
          { kind: 'day', key: 'since', label: '이 날부터 센 날수', hint: '비우면 아래의 숫자가 보입니다' },
          both('figure', '숫자와 단위'),
          both('text', '설명'),
          both('source', '출처'),
          text('link', '출처의 주소', '/publications#paper-열쇠'),
        ],
      },
      {
        kind: 'group',
        key: 'hardware',
        label: '첫 화면의 장치 그림',
        absent: { alt: nothing, caption: nothing, parts: [] },
        fields: [
          both('alt', '그림을 볼 수 없는 사람을 위한 설명', true),
          both('caption', '이름'),
          { kind: 'list', key: 'parts', label: '번호를 붙인 부분', item: 'both', fresh: nothing },
        ],
      },
    ],
  },
  {
    name: 'people',
    section: 'people',
    title: '구성원',
    field: 'people',
    fields: PEOPLE.map(peopleList),
  },
  {
    name: 'news',
    section: 'title',
    title: '소식',
    fields: [
      {
        kind: 'list',
        key: 'news',
        label: '소식',
        hint: '순서와 관계없이 날짜가 늦은 것부터 보입니다',
        item: [
          { kind: 'day', key: 'date', label: '날짜' },
          both('text', '한 문장', true),
          text('link', '주소', LINK),
        ],
        fresh: { date: '', text: nothing, link: '' },
      },
    ],
  },
  {
    name: 'projects',
    section: 'about',
    title: '과제',
    fields: [
      {
        kind: 'list',
        key: 'projects',
        label: '과제',
        item: [
          both('name', '이름'),
          {
            kind: 'choice',
            key: 'topic',
            label: '연구 주제',
            options: ({ about }) => about.topics.map(({ name }) => ({ value: name.en, label: name.ko })),
          },
          text('years', '기간', '2026–2028'),
          both('funder', '지원'),
          both('text', '설명', true),
          text('link', '주소', LINK),
          { kind: 'list', key: 'people', label: '참여하는 사람', item: 'both', fresh: nothing },
          text('papers', '논문', '논문 목록의 열쇠를 띄어 쓰세요: kim2026soil kim2025node'),
          text('code', '코드 주소', LINK),
          text('data', '데이터 주소', LINK),
          { kind: 'photograph', key: 'photograph', label: '사진' },
        ],
        fresh: {
          topic: '',
          name: nothing,
          years: '',
          funder: nothing,
          text: nothing,
          link: '',
          people: [],
          papers: '',
          code: '',
          data: '',
          photograph: null,
        },
      },
    ],
  },
  {
    name: 'join',
    section: 'join',
    title: '모집',
    fields: [
      {
        kind: 'group',
        key: 'join',
        label: '모집 안내',
        absent: {
          mark: nothing,
          heading: nothing,
          text: nothing,
          positions: [],
          steps: [],
          abroad: [],
          until: '',
        },
        fields: [
          both('mark', '첫 화면의 한 줄'),
          both('heading', '제목'),
          both('text', '글', true),
          {
            kind: 'list',
            key: 'positions',
            label: '모집 대상',
            item: [both('who', '대상'), both('brings', '자격 요건', true), both('gets', '혜택', true)],
            fresh: { who: nothing, brings: nothing, gets: nothing },
          },
          { kind: 'list', key: 'steps', label: '지원 방법의 단계', item: 'long', fresh: nothing },
          {
            kind: 'list',
            key: 'abroad',
            label: '해외에서 지원하는 사람이 묻는 것',
            item: [both('question', '질문'), both('answer', '답', true)],
            fresh: { question: nothing, answer: nothing },
          },
          { kind: 'day', key: 'until', label: '마감일', hint: '비우면 모집을 삭제할 때까지 표시됩니다' },
        ],
      },
    ],
  },
  {
    name: 'photographs',
    section: 'about',
    title: '사진',
    fields: [
      photographs('photographs', '장치와 장소의 사진'),
      photographs('group', '사람들의 사진(단체, 일하는 모습)'),
    ],
  },
  {
    name: 'ways',
    section: 'contact',
    title: '오시는 길',
    fields: [
      {
        kind: 'list',
        key: 'ways',
        label: '오시는 길',
        item: [both('by', '무엇으로'), both('text', '길', true)],
        fresh: { by: nothing, text: nothing },
      },
    ],
  },
  {
    name: 'lists',
    section: 'about',
    title: '세미나·논문 주제',
    fields: [
      {
        kind: 'list',
        key: 'lists',
        label: '목록',
        item: [
          both('heading', '제목'),
          {
            kind: 'list',
            key: 'items',
            label: '항목',
            item: [
              text('when', '언제'),
              both('what', '무엇'),
              both('who', '누구'),
              text('link', '주소', LINK),
            ],
            fresh: { when: '', what: nothing, who: nothing, link: '' },
          },
        ],
        fresh: { heading: nothing, items: [] },
      },
    ],
  },
  { name: 'publications', title: '논문', section: 'publications', fields: [] },
  {
    name: 'privacy',
    section: 'privacy',
    title: '개인정보',
    field: 'privacy',
    fields: [
      both('officer', '개인정보 보호책임자의 이름'),
      both('position', '보호책임자의 직위'),
      text('email', '보호책임자의 이메일', AS_AT),
      text('phone', '보호책임자의 전화'),
      { kind: 'day', key: 'since', label: '처리방침을 적용하는 날' },
      {
        kind: 'list',
        key: 'earlier',
        label: '이전 처리방침',
        item: [
          { kind: 'day', key: 'since', label: '적용한 날' },
          both('text', '그 다음에 바뀐 것'),
          text('link', '이전 처리방침의 주소', LINK),
        ],
        fresh: { since: '', text: nothing, link: '' },
      },
    ],
  },
];
