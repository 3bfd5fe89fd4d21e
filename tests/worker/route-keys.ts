import { publicContent, peopleAndTopicNames } from '#contract/public-content';
import { firstVersion } from '#content/first-version';
import { readPublications } from '#content/bibtex/read-publications';
import { NAME } from './support.ts';
import { courseFields } from '../support/course.ts';
import { words } from '../support/words.ts';

/* What the routes' answers may hold, and values that they take. */

export const healthKeys = () =>
  words('parts api ingest broker bridge bridges alive broker_connected reported_at').concat(
    ['spool', 'depth', 'oldest_at', 'dead', 'plants', 'plant', 'last_received_at', 'stale_after_minutes'],
    words('board storage database files files_count backup last before at rows bytes'),
    words(`
      failed_at alert_days drill restored made_at tasks task started_at finished_at ok alerts kind
    `),
    ['name', 'since', 'webhook', 'heartbeat', 'state', 'over_quota', 'waiting', 'refused'],
    ['version', 'certificate_until', 'disk_free', 'boards_passed_over', 'detail', 'failure'],
    ['usage', 'plan', 'full_in_days', 'plants_full_in_days', 'rows_today', 'rows_end_at'],
  );
export const loginUser = () => ['id', 'email', 'name', 'univId', 'secureLevel'];
export const listedUser = () => ['id', 'name', 'email', 'secure_level', 'univ_id', 'univ_id_verified'];
export const done = () => ['ok'];

export const logEntry = words('id at actor address action subject person detail request name email');
export const logDetail = words(`
  sessions entries imports names files readings filter count secure_level univ_id univ_id_verified reason
  emails fields year semester subject undone added changed unchanged removed enrolments students amount
  datetime description receipts dues file size due entry paid words plant dry wet alert_below alert_clear
  stale_after_minutes is_public name_en
`);

export const someEntry = { amount: -12_000, datetime: '2026-03-02T13:00:00', description: '복사 용지' };
export const entryKeys = () => ['id', ...Object.keys(someEntry), 'category', 'version'];
export const historyKeys = () => [...entryKeys(), 'replaced_at', 'replaced_by', 'name'];
export const receiptKeys = () => ['id', 'entry_id', 'name', 'type', 'size'];
export const dueKeys = () => words('dues id user_id name entry_id amount payments due_id year semester');

export const courseKeys = () => ['id', ...Object.keys(courseFields), 'version'];

export const someSubject = {
  id: 'S1',
  name: '가',
  year: 1,
  type: '전공',
  score: 3,
  prof: '나린솔',
  time: '월1',
  classroom: 'B1',
  etc: '',
};
export const subjectKeys = () => ['S1', ...Object.keys(someSubject)];

export const importKeys = ['id', 'at', 'by'];
/** Of the students whom an undo names. */
export const undoKeys = ['altered', 'stays', 'fields', 'enrolment', 'changes', 'field', 'before', 'after'];
export const importCounts = () => ['added', 'changed', 'unchanged'];
export const purgeKeys = () => ['enrolments', 'students', 'left'];
export const someTerm = async () => ({ path: { year: '2049', semester: '2' } });
export const someRow = { no: 1, name: NAME, department: '', year: 1, type: '', tel: '', email: '' };
export const someStudentForm = {
  name: NAME,
  department: '',
  tel: '',
  email: '',
  enrolment: { course: { year: 2026, semester: 1, subject: 'x' }, no: 2, year: 3, type: '재학' },
};
export const rosterKeys = () => ['id', ...Object.keys(someRow)];
export const studentKeys = () => [...rosterKeys(), 'subjects', 'picture', 'version'];
export const recordKeys = () => [...rosterKeys(), 'enrolment', 'version'];
export const exportKeys = () =>
  rosterKeys().concat(
    ['student', 'enrolments', 'subject', 'semester', 'school_year', 'picture', 'last_term'],
    ['log', 'at', 'action', 'detail', 'reason'],
    ['imports', 'by_hand', 'student_before', 'student_after', 'enrolment_before', 'enrolment_after'],
  );
export const plantKeys = () => ['plant', 'datetime', 'soil_moisture', 'refused_datetime'];
export const plantColumns = () => [
  ...plantKeys(),
  'percent',
  'percent_uncalibrated',
  'seoul_time',
  'seq',
  'topic',
];
export const someSettings = {
  dry: 800,
  wet: 300,
  alert_below: 20,
  alert_clear: 25,
  stale_after_minutes: 60,
};
export const plantStateKeys = () =>
  words(`
    plant topic name_en last_watered last_datetime last_soil_moisture last_received_at board board_at
  `).concat(
    ['alert_since', 'readings', 'is_public', 'version', 'days_until_dry', 'forecast', 'low', 'high'],
    words('silent_after_minutes clock_off_ms fault faults kind since from to calibration_offered'),
    Object.keys(someSettings),
  );
export const hiddenPlantKeys = () =>
  ['hidden', 'plant', 'topic', 'version', 'readings', 'last_datetime'].concat([
    'removed',
    'removed_at',
    'readings_left',
  ]);
export const publicPlantKeys = () =>
  words('plant plant_en from hours last percent datetime limit_percent watered last_watered');
export const wateringKeys = () => ['plant', 'datetime', 'before', 'after', 'until'];
export const card = words(`
  name position department office email phone interests years after links homepage scholar orcid github
  photograph file alt
`);
const keysIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => (Array.isArray(value) ? [] : [key]).concat(keysIn(item)))
    : [];
export const contentKeys = () => [
  'draft',
  'published',
  'version',
  'publishedVersion',
  ...keysIn(firstVersion),
];
const { papers } = readPublications(firstVersion.publications, peopleAndTopicNames(firstVersion));
export const publishedKeys = () => [
  'version',
  'at',
  'content',
  'publications',
  ...keysIn(publicContent(firstVersion, papers, 0)),
  ...keysIn(papers),
];
export const publicGroups = ['professors', 'graduate_students', 'graduate_alumnis'];
export const memberGroups = ['undergraduate_students', 'undergraduate_alumnis'];

export const reviewKeys = ['review', 'at', 'reviewer', 'id', 'name', 'email', 'remark'];
export const reportKeys = words(`
  entries actors reads changes exports records addresses restores unusual kind day handled usual
`);

export const awaitingKeys = ['users', 'unconfirmed_numbers', 'due_reviews'].concat(
  ['plants', 'dry_plants'],
  ['health', 'failed_parts', 'dead_letters'],
);
export const accountSums = ['account', 'balance', 'deposits', 'withdrawals'];
export const labCounts = ['lab', 'users', 'students', 'courses', 'last_backup'];
export const findKeys = ['students', 'id', 'name', 'department'].concat(
  ['courses', 'year', 'semester', 'subject', 'subject_en'],
  ['subjects', 'plants'],
);

export const receiverKeys = () =>
  words('id kind name host plants absent line quiet from to told_at waiting dropped').concat([
    'failure',
    'next_at',
  ]);
export const someReceiver = { kind: 'json', name: '온실', address: 'https://receiver.example/some' };

const taskKeys = ['id', 'kind', 'plant', 'created_at', 'taken_at', 'done_at', 'ok'];
export const bridgeKeys = () =>
  [...taskKeys, 'at', 'bridges', 'bridge', 'alive', 'does'].concat(['keys', 'plants', 'revoked_at', 'tasks']);
export const bridgeTaskKeys = () => [...taskKeys, 'result', 'text'];
