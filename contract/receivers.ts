import * as z from 'zod';
import { plantNameSchema } from './plant-id.ts';
import { PLANTS_MAX } from './plants.ts';
import { textSchema } from './texts.ts';

export const receiverKindLabels = {
  slack: 'Slack',
  discord: 'Discord',
  jandi: 'JANDI',
  telegram: 'Telegram',
  json: 'JSON',
  mail: '메일',
};
export type ReceiverKind = keyof typeof receiverKindLabels;
/** Kinds of receivers that are reached at a web address. */
export type WebReceiverKind = Exclude<ReceiverKind, 'mail'>;
export const receiverKindSchema = z.enum(
  ['slack', 'discord', 'jandi', 'telegram', 'json', 'mail'],
  '종류를 선택하세요',
) satisfies z.ZodType<ReceiverKind>;

/** Hosts that accept messages of only one kind. */
const hosts: [host: RegExp, kind: WebReceiverKind][] = [
  [/^hooks\.slack\.com$/, 'slack'],
  [/^((canary|ptb)\.)?discord(app)?\.com$/, 'discord'],
  [/^wh\.jandi\.com$/, 'jandi'],
  [/^api\.telegram\.org$/, 'telegram'],
];

/** The kind of a known service's host; undefined for any other host. */
export const receiverKindOfHost = (host: string): WebReceiverKind | undefined =>
  hosts.find(([pattern]) => pattern.test(host))?.[1];

/** Few enough that one run of the scheduled alert check can notify all of them in parallel. */
export const RECEIVERS_MAX = 50;

const timeSchema = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, '23:00처럼 입력하세요');

/** Quiet hours in Seoul: news from `from` until `to` is sent only at `to`, which may be on the next day. */
const quietSchema = z
  .object({ from: timeSchema, to: timeSchema })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: '시작과 다른 시각을 입력하세요' });
type QuietHours = z.infer<typeof quietSchema>;

const scopeSchema = z.object({
  /** The plants whose alerts the receiver gets; null for every plant, including later ones. */
  plants: z.array(plantNameSchema).max(PLANTS_MAX).nullable().default(null),
  /** Whether the receiver gets alerts about the path of readings: bridge, broker, database, backup, tasks. */
  line: z.boolean().default(true),
});

/** Body of POST /api/receivers. No response ever contains the address. */
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
    // Without `when`, the form would show these problems only when all other fields are valid.
    when: ({ value }) => scopeSchema.safeParse(value).success,
  });
export type NewReceiver = z.output<typeof receiverSchema>;

/** One receiver of GET /api/receivers. Instants are ISO 8601. */
export type Receiver = {
  id: number;
  kind: ReceiverKind;
  name: string;
  /** Host of the receiver's address, which stays secret. */
  host: string;
  plants: string[] | null;
  /** Topics of removed plants whose alerts the receiver had chosen. */
  absent: string[];
  line: boolean;
  quiet: QuietHours | null;
  /** When the receiver last accepted a message; null if never. */
  told_at: string | null;
  /** How many news items the receiver has yet to accept, and how many were given up after a day. */
  waiting: number;
  dropped: number;
  /** Why the last message was not accepted, and when the next attempt is; null if it was accepted. */
  failure: string | null;
  next_at: string | null;
};

/** Response of POST /api/receivers/{id}/test: whether the receiver accepted the message, and if not, why. */
export type ReceiverTest = { ok: boolean; failure: string | null };

/** Describes why a message was not accepted; `failure` is the text in the database and in the log. */
export function deliveryFailureText(failure: string): string {
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
