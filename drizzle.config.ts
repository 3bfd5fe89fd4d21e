import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./db/schema.ts', './db/roster.ts', './db/ledger.ts', './db/watch.ts', './db/content.ts'],
  out: './migrations',
});
