import * as z from 'zod';
import { normalizeText } from './printable-text.ts';

/** A user's text, normalized by `normalizeText`. The text may be empty; `.min(1)` rejects blank texts. */
export const textSchema = (max: number, tooLong?: string, missing?: string) =>
  z.string(missing).overwrite(normalizeText).max(max, tooLong);

/** A person's name: one line, normalized by `normalizeText`. */
export const nameSchema = (max: number, tooLong?: string) =>
  textSchema(max, tooLong)
    .min(1, '이름을 입력하세요')
    .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), '이름에 줄바꿈이나 제어 문자를 쓸 수 없습니다');
