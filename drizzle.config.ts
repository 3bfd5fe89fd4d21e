import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './db/users.ts',
    './db/courses.ts',
    './db/roster.ts',
    './db/ledger.ts',
    './db/watch.ts',
    './db/content.ts',
    './db/access-log.ts',
  ],
  out: './migrations',
});
