/** The site in development: Vite with hot reload on PORT, proxying to the workers what is theirs. */
import { createServer } from 'vite';
import { readSettings } from './settings.ts';

const settings = readSettings(process.env);
const workers = `http://127.0.0.1:${settings.SITE_PORT}`;

const server = await createServer({
  configFile: 'web/vite.config.ts',
  server: {
    host: '127.0.0.1',
    port: settings.PORT,
    strictPort: true,
    proxy: { '/api': workers, '/dev/identity': workers },
  },
});
await server.listen();
process.send?.('ready');

let stopping: Promise<void> | undefined;
const stop = () => (stopping ??= server.close().finally(() => process.exit(0)));
process.on('SIGTERM', () => void stop());
process.on('disconnect', () => void stop());
