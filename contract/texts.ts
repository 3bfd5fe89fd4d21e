import * as z from 'zod';
import { cleanText } from './visible-text.ts';

/** A text that somebody gives, in its one spelling (see `cleanText`). It may be empty; `.min(1)` refuses a blank one. */
export const textSchema = (max: number, tooLong?: string, missing?: string) =>
  z.string(missing).overwrite(cleanText).max(max, tooLong);
