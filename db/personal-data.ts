import type * as accessLog from './access-log.ts';
import type * as content from './content.ts';
import type * as courses from './courses.ts';
import type * as ledger from './ledger.ts';
import type * as plants from './plants.ts';
import type * as roster from './roster.ts';
import type * as users from './users.ts';
import type * as watch from './watch.ts';

/*
 * Where the databases hold personal data, and what happens to it when the person asks for erasure. `tsc` and
 * a test both refuse a table or column that is missing from this list.
 */

/** The person's ids and addresses as parenthesised SQL lists. */
export type PersonSql = { users: string; students: string; emails: string };

type Module = typeof accessLog &
  typeof content &
  typeof courses &
  typeof ledger &
  typeof plants &
  typeof roster &
  typeof users &
  typeof watch;
type Tables = { [Table in Module[keyof Module] as Table['_']['name']]: Table['$inferSelect'] };
type ColumnOf<Name> = Name extends keyof Tables ? keyof Tables[Name] : never;

export type PersonalTable<Column = string> = {
  /** The table's database; DB by default. Nothing is erased in PLANTS_DB. */
  database?: 'PLANTS_DB';
  /** Columns included in an export. */
  exported: readonly Column[];
  /** Columns that an export omits: secrets, or values that say nothing about the person. */
  others: readonly Column[];
  /** SQL condition for rows that are unambiguously about the person. */
  whose: (person: PersonSql) => string;
  /**
   * A column in which someone may have written about the person; its table has an id. A complete student
   * number or address identifies the person. A name may also be someone else's, so an operator has to decide.
   * `unless` is SQL that excludes rows known to be about someone else.
   */
  mentions?: { column: string; by: 'id' | 'name'; unless?: string };
  /** Erasure deletes the rows, removes what identifies the person, or keeps the rows for the given reason. */
  erase: 'delete' | { set: string } | { keep: string };
};

/** Access-log subjects whose ids are student numbers. */
export const STUDENT_SUBJECTS = "('student', 'enrolment', 'picture')";

const ofStudent = ({ students }: PersonSql) => `student_id IN ${students}`;
const ofUser = ({ users }: PersonSql) => `user_id IN ${users}`;
/** Entries that paid this person's dues and nobody else's. */
const ofTheirDues = ({ users }: PersonSql) =>
  `IN (SELECT entry_id FROM dues WHERE entry_id IS NOT NULL
       GROUP BY entry_id HAVING min(coalesce(user_id IN ${users}, 0)) = 1)`;

/** Ordered for deletion: referencing rows come before what they refer to. */
export const personalData = {
  import_rows: {
    exported: [
      'student_id',
      'student_before',
      'student_after',
      'student_listed',
      'student_shown',
      'enrolment_before',
      'enrolment_after',
      'last_term_before',
      'corrected',
    ],
    others: ['import_id', 'last_import_before'],
    whose: ofStudent,
    erase: 'delete',
  },
  imports: {
    exported: ['at', 'year', 'semester', 'subject', 'added', 'changed', 'unchanged', 'removed'],
    others: ['id', 'user_id'],
    whose: ofUser,
    erase: { set: 'user_id = NULL' },
  },
  subject_imports: {
    exported: ['at', 'department', 'year', 'semester'],
    others: ['id', 'user_id'],
    whose: ofUser,
    erase: { set: 'user_id = NULL' },
  },
  ledger_imports: {
    exported: ['at'],
    others: ['id', 'user_id', 'run'],
    whose: ofUser,
    erase: { set: 'user_id = NULL' },
  },
  pictures: {
    exported: ['content_type', 'size', 'uploaded_at'],
    others: ['student_id', 'etag', 'width', 'height'],
    whose: ofStudent,
    erase: 'delete',
  },
  enrolments: {
    exported: ['year', 'semester', 'subject', 'no', 'school_year', 'type'],
    others: ['student_id', 'last_import'],
    whose: ofStudent,
    erase: 'delete',
  },
  students: {
    exported: ['id', 'name', 'department', 'tel', 'email', 'last_term', 'by_hand'],
    others: ['version'],
    whose: ({ students }) => `id IN ${students}`,
    erase: 'delete',
  },
  sessions: {
    exported: ['user_agent', 'created_at', 'last_used_at'],
    others: ['id', 'user_id', 'token_hash'],
    whose: ofUser,
    erase: 'delete',
  },
  number_claims: {
    exported: ['at'],
    others: ['id', 'user_id'],
    whose: ofUser,
    erase: 'delete',
  },
  ledger_keys: {
    exported: ['entry_id'],
    others: ['user_id', 'key', 'body_hash'],
    whose: ofUser,
    erase: 'delete',
  },
  dues: {
    exported: ['year', 'semester', 'name', 'entry_id', 'amount'],
    others: ['id', 'user_id', 'user_deleted_at'],
    whose: ofUser,
    mentions: { column: 'name', by: 'name', unless: 'user_id IS NOT NULL' },
    // The account must still show that a person paid. The task that removes names removes an unpaid row.
    erase: { set: "name = '삭제된 사용자', user_id = NULL, user_deleted_at = unixepoch() * 1000" },
  },
  receivers: {
    exported: ['kind', 'name', 'address', 'created_at'],
    others: ['id', 'every_plant', 'line', 'quiet_from', 'quiet_to', 'told_at'],
    whose: ({ emails }) => `kind = 'mail' AND lower(address) IN ${emails}`,
    mentions: { column: 'name', by: 'name' },
    erase: 'delete',
  },
  first_admins: {
    exported: ['email'],
    others: [],
    whose: ({ emails }) => `email IN ${emails}`,
    erase: 'delete',
  },
  users: {
    exported: ['id', 'sub', 'email', 'name', 'univ_id', 'univ_id_verified_at', 'secure_level', 'created_at'],
    others: [],
    whose: ({ users }) => `id IN ${users}`,
    erase: 'delete',
  },
  content_draft: {
    exported: ['content'],
    others: ['id', 'version'],
    whose: () => 'FALSE',
    mentions: { column: 'content', by: 'name' },
    erase: {
      keep: 'it is the next version of the public pages: take the person out of it there, and publish',
    },
  },
  content_versions: {
    exported: ['content', 'at'],
    others: ['id', 'user_id', 'publications'],
    whose: ({ users }) => `user_id IN ${users}`,
    mentions: { column: 'content', by: 'name' },
    erase: { keep: 'versions of the public pages; only the newest fifty are kept' },
  },
  access_log: {
    exported: ['at', 'address', 'action', 'subject', 'subject_id', 'detail', 'request_id'],
    others: ['id', 'actor_id'],
    whose: ({ users, students }) =>
      `actor_id IN ${users} OR (subject IN ('user', 'due') AND CAST(subject_id AS INTEGER) IN ${users})
       OR (subject IN ${STUDENT_SUBJECTS} AND subject_id IN ${students})`,
    mentions: { column: 'detail', by: 'id' },
    erase: {
      keep: 'the law requires it for a year, and nobody can change it; it has people only by number',
    },
  },
  plant_log: {
    database: 'PLANTS_DB',
    exported: ['at', 'address', 'action', 'subject', 'subject_id', 'detail', 'request_id'],
    others: ['id', 'actor_id'],
    whose: ({ users }) => `actor_id IN ${users}`,
    erase: { keep: 'it moves into the access log within minutes' },
  },
  log_reviews: {
    exported: ['month', 'at', 'remark'],
    others: ['id', 'reviewer_id'],
    whose: ({ users }) => `reviewer_id IN ${users}`,
    mentions: { column: 'remark', by: 'id' },
    erase: { keep: 'it shows that the access log was reviewed; it has its reviewer only by number' },
  },
  ledger_history: {
    exported: ['entry_id', 'version', 'amount', 'datetime', 'description', 'category', 'replaced_at'],
    others: ['id', 'replaced_by'],
    whose: (person) => `entry_id ${ofTheirDues(person)} OR replaced_by IN ${person.users}`,
    mentions: { column: 'description', by: 'name' },
    erase: {
      keep: 'it shows what was corrected, by number, and is deleted with its entry: to remove words, delete the entry and write it again',
    },
  },
  ledger_entries: {
    exported: ['id', 'amount', 'datetime', 'description', 'category'],
    others: ['version'],
    whose: (person) => `id ${ofTheirDues(person)}`,
    mentions: { column: 'description', by: 'name' },
    erase: {
      keep: 'the books need it; check whether its words contain the name: to remove that, delete the entry and write it again',
    },
  },
  deleted_entries: {
    exported: ['id', 'entry', 'history', 'receipts', 'deleted_at'],
    others: [],
    whose: () => 'FALSE',
    mentions: { column: 'entry', by: 'name' },
    erase: {
      keep: 'it is deleted after 30 days: to remove its words or receipts at once, delete it from the bin',
    },
  },
  receipts: {
    exported: ['id', 'entry_id', 'name', 'content_type', 'size', 'uploaded_at'],
    others: [],
    whose: (person) => `entry_id ${ofTheirDues(person)}`,
    mentions: { column: 'name', by: 'name' },
    erase: {
      keep: 'the books need it; check whether the file or its name contains the name: to remove that, delete it and upload one without it',
    },
  },
} as const satisfies { [Name in keyof Tables]?: PersonalTable<ColumnOf<Name>> };

type Held = typeof personalData;
type Listed<Name extends keyof Held> = Held[Name]['exported' | 'others'][number];
type Unlisted = { [Name in keyof Held]: `${Name}.${Exclude<ColumnOf<Name>, Listed<Name>>}` }[keyof Held];
/** Fails to compile while any column is in neither list. */
export type EveryColumnIsListed<Missing extends never = Unlisted> = Missing;

/** Tables in which there are no personal data to find, and why. */
export const nonPersonalTables: Record<Exclude<keyof Tables, keyof Held>, string> = {
  courses: 'what the lab teaches',
  subjects: 'the public timetable, with the names of who teaches',
  used_tokens: 'hashes that identify nobody',
  replaced_subjects: 'the timetables before each of their changes',
  ledger_import_entries: 'which import added an entry',
  roster_version: 'a tag',
  ledger_version: 'a tag',
  plants: 'plants',
  plant_readings: 'plants',
  plant_rollups: 'plants',
  plant_states: 'plants',
  plant_removals: 'plants',
  removed_topics: 'plants',
  plant_retention: 'plants',
  plant_rollup_watermark: 'plants',
  plant_waterings: 'plants',
  bridge_keys: 'bridges',
  bridge_heartbeats: 'bridges',
  bridge_tasks: 'requests to bridges; the access log has who made them',
  backups: 'counts',
  drills: 'counts',
  task_runs: 'times',
  alerts: 'plants and bridges',
  database_days: 'counts',
  receiver_topics: 'plants',
  outbox: 'plants and bridges',
};
