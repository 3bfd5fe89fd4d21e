import type * as z from 'zod';
import { halfWidth } from './search-text.ts';

/** What the contract says is wrong with a form: the first problem of each field, in the order of the schema. */
export function formProblems(schema: z.ZodType, form: unknown): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(form).error?.issues ?? []) {
    problems[String(path[0])] ??= message;
  }
  return problems;
}

/** The number that was typed into a field, in full-width digits too. NaN for anything else: `0x7ea` and `1e3` are no years. */
export function numberIn(text: string): number {
  const typed = halfWidth(text).trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : Number.NaN;
}
