import type * as z from 'zod';
import { toHalfWidth } from './search-text.ts';

/** Validation errors by the contract's schema: the first error of each field, in the schema's order. */
export function formProblems(schema: z.ZodType, form: unknown): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(form).error?.issues ?? []) {
    problems[String(path[0])] ??= message;
  }
  return problems;
}

/** Parses a typed number, with full-width digits too. NaN for anything else, such as `0x7ea` or `1e3`. */
export function parseNumber(text: string): number {
  const typed = toHalfWidth(text).trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : Number.NaN;
}

const EMAIL = /^[^\s@<>()[\],:;"]+@(?:[^\s@<>()[\],:;".]+\.)+[^\s@<>()[\],:;".]{2,}$/;

export const isEmail = (text: string) => EMAIL.test(text);
