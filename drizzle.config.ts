import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './worker/db/schema.ts',
    './worker/db/roster.ts',
    './worker/db/ledger.ts',
    './worker/db/plants.ts',
    './worker/db/watch.ts',
  ],
  out: './migrations',
});
