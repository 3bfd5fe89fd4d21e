import * as z from 'zod';
import { givenNameSchema } from './plant-id.ts';
import { PLANTS_MAX } from './plants.ts';
import { textSchema } from './texts.ts';

export const receiverKinds = {
  slack: 'Slack',
  discord: 'Discord',
  jandi: 'JANDI',
  telegram: 'Telegram',
  json: 'JSON',
  mail: '메일',
};
export type ReceiverKind = keyof typeof receiverKinds;
/** Reached by an address on the web. */
export type WebKind = Exclude<ReceiverKind, 'mail'>;
export const receiverKindSchema = z.enum(
  ['slack', 'discord', 'jandi', 'telegram', 'json', 'mail'],
  '종류를 선택하세요',
) satisfies z.ZodType<ReceiverKind>;

/** Hosts that take messages of one kind alone. */
const hosts: [host: RegExp, kind: WebKind][] = [
  [/^hooks\.slack\.com$/, 'slack'],
  [/^((canary|ptb)\.)?discord(app)?\.com$/, 'discord'],
  [/^wh\.jandi\.com$/, 'jandi'],
  [/^api\.telegram\.org$/, 'telegram'],
];

/** The kind of a service's own host; undefined for any other. */
export const kindOfHost = (host: string): WebKind | undefined =>
  hosts.find(([pattern]) => pattern.test(host))?.[1];

/** One look of the watch tells all of them side by side. */
export const RECEIVERS_MAX = 50;

const timeSchema = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, '23:00처럼 입력하세요');

/** Hours in Seoul; what happens from `from` until `to` is told after them. `to` may be on the next day. */
const quietSchema = z
  .object({ from: timeSchema, to: timeSchema })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: '시작과 다른 시각을 입력하세요' });
type QuietHours = z.infer<typeof quietSchema>;

const scopeSchema = z.object({
  /** Which plants it is told of; null is every plant, also later ones. */
  plants: z.array(givenNameSchema).max(PLANTS_MAX).nullable().default(null),
  /** Whether it is told when readings do not get through: bridge, broker, database, backup, tasks. */
  line: z.boolean().default(true),
});

/** Body of POST /api/receivers. The address is told to nobody again. */
export const receiverSchema = scopeSchema
  .extend({
    kind: receiverKindSchema,
    name: textSchema(60, '60자까지 입력할 수 있습니다')
      .min(1, '이름을 입력하세요')
      .regex(/^\P{Cc}*$/u, '쓸 수 없는 문자가 있습니다'),
    address: z
      .string()
      .min(1, '주소를 입력하세요')
      .max(2000, '2,000자까지 입력할 수 있습니다')
      .regex(/^\S*$/, '주소에 빈칸을 넣을 수 없습니다'),
    quiet: quietSchema.nullable().default(null),
  })
  .refine(({ plants, line }) => plants === null || plants.length > 0 || line, {
    path: ['line'],
    error: '알릴 내용을 선택하세요',
    // Also while other fields are wrong: the form shows every problem at once.
    when: ({ value }) => scopeSchema.safeParse(value).success,
  });
export type NewReceiver = z.output<typeof receiverSchema>;

/** One receiver of GET /api/receivers. Instants are ISO 8601. */
export type Receiver = {
  id: number;
  kind: ReceiverKind;
  name: string;
  /** Of its address, which stays secret. */
  host: string;
  plants: string[] | null;
  /** Topics that it was told of and that are no plants now, because somebody removed them. */
  absent: string[];
  line: boolean;
  quiet: QuietHours | null;
  /** When it last took a message; null if it never has. */
  told_at: string | null;
  /** News that it did not take yet, and of those that it did not take at last within a day. */
  waiting: number;
  dropped: number;
  /** Why it did not take the last one, and when it is tried again; null if it did. */
  failure: string | null;
  next_at: string | null;
};

/** Answer of POST /api/receivers/{id}/test: whether the receiver took the message, and if not, why. */
export type ReceiverTest = { ok: boolean; failure: string | null };

/** Why a message was not taken, in words; `failure` is as it stands in the database and in the log. */
export function failureText(failure: string): string {
  const status = /^answered (\d{3})$/.exec(failure)?.[1];
  if (status?.startsWith('3')) return `다른 주소로 넘깁니다 (응답 ${status})`;
  if (status !== undefined) return `받지 않았습니다 (응답 ${status})`;
  return failures[failure] ?? failure;
}

const failures: Record<string, string> = {
  'no answer': '연결하지 못했습니다',
  'too late': '10초 안에 응답하지 않았습니다',
  'not allowed': '보낼 수 없는 주소입니다',
  'no sender': '보내는 메일 주소(MAIL_FROM)가 정해지지 않았습니다',
  'mail refused': '메일을 보내지 못했습니다',
};
