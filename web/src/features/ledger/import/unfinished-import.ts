import { ledgerEntryFormSchema } from '#contract/ledger';
import * as z from 'zod';
import type { ImportRun } from './import-run.ts';

/* An interrupted import survives a reload of the tab, for the user who started it, because its keys are theirs. */

const KEY = 'ledgerImport';

const storedSchema = z.object({
  userId: z.int(),
  run: z.object({
    // A run that an earlier version began has none.
    id: z.string().default(() => crypto.randomUUID()),
    items: z.array(z.object({ key: z.string(), entry: ledgerEntryFormSchema })),
    done: z.int().min(0),
  }),
});

export function keepRun(userId: number, run: ImportRun): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ userId, run }));
  } catch (error) {
    console.warn('an interrupted import will not survive a reload', error);
  }
}

export function forgetRun(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // With storage blocked, nothing was kept.
  }
}

/** The interrupted import; undefined if there is none for this user. */
export function keptRun(userId: number): ImportRun | undefined {
  try {
    const stored = storedSchema.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    return stored.data?.userId === userId ? stored.data.run : undefined;
  } catch {
    return undefined;
  }
}
