import type * as z from 'zod';

/** What the contract says is wrong with a form: the first problem of each field, in the order of the schema. */
export function formProblems(schema: z.ZodType, form: unknown): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(form).error?.issues ?? []) {
    problems[String(path[0])] ??= message;
  }
  return problems;
}

/** What a field of text holds as a number; NaN for none. */
export const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));
