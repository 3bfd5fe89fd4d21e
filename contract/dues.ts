import * as z from 'zod';
import { courseKeyQuerySchema, reasonSchema } from './students.ts';

/** `{year}/{semester}` of /api/account/dues: semester 1 or 2. */
export const duesTermSchema = courseKeyQuerySchema.omit({ subject: true });

/**
 * Who owes the dues of a semester, as GET /api/account/dues/{year}/{semester} lists them: users of the lab first, then
 * typed names.
 */
export type Due = {
  /** NULL for a user who has never paid in this semester. */
  id: number | null;
  /** NULL for a typed name. */
  user_id: number | null;
  name: string;
  /** The deposit that paid; NULL while unpaid. */
  entry_id: number | null;
};

/** A semester's dues that an entry has paid, of whatever semester: of what the entry can pay nothing more. */
export type Payment = { due_id: number; entry_id: number; year: number; semester: number; name: string };

/** Answer of GET, POST and PUT /api/account/dues/{year}/{semester}. */
export type DuesList = {
  dues: Due[];
  /** Of every semester. One deposit pays one person's dues; what was stored before that rule may be there twice. */
  payments: Payment[];
};

/** Body of POST: names of people who are no users. A name that the semester has already is left out. */
export const dueNamesSchema = z.object({
  names: z
    .array(
      z
        .string()
        .max(50, '이름은 50자까지 쓸 수 있습니다')
        .regex(/^\S(.*\S)?$/, '이름을 입력하세요'),
    )
    .min(1)
    .max(200),
});

const rowId = z.int().positive();

/** Body of PUT: by which entry a user or a typed name has paid; null takes the payment back. */
const paymentSchema = z.union([
  z.object({ user_id: rowId, entry_id: rowId.nullable() }),
  z.object({ id: rowId, entry_id: rowId.nullable() }),
]);
export type DuePayment = z.infer<typeof paymentSchema>;

/** Body of PUT: the row of a name without a user is this user's, who has the same name. */
const joinSchema = z.object({ id: rowId, user_id: rowId });
export type DueJoin = z.infer<typeof joinSchema>;

/** One of the three: a body that could be two of them is none. */
export const dueChangeSchema = z.xor([...paymentSchema.options, joinSchema]);

/** Body of POST …/exports, which only logs that the list leaves the system. */
export const duesExportSchema = z.object({ reason: reasonSchema });
