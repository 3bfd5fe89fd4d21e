/** Serves the site in development: Vite with hot reload on PORT. Its argument is the port of the workers. */
import { isAllowedHost, HOST_REFUSED_TEXT } from '#contract/host-header';
import { createServer } from 'vite';
import { readSettings } from './settings.ts';

const settings = readSettings(process.env);
const workers = `http://127.0.0.1:${process.argv[2]}`;

const server = await createServer({
  configFile: 'web/vite.config.ts',
  plugins: [
    {
      name: 'allowed-hosts',
      // Checks the host name here, because Vite accepts every address and every name below .localhost.
      configureServer: ({ middlewares }) => {
        middlewares.use((request, response, next) => {
          if (isAllowedHost(request.headers.host, settings.LOCAL_HOSTS)) next();
          else response.writeHead(421, { 'content-type': 'text/plain' }).end(HOST_REFUSED_TEXT);
        });
      },
    },
  ],
  server: {
    host: '127.0.0.1',
    port: settings.PORT,
    strictPort: true,
    allowedHosts: settings.LOCAL_HOSTS,
    // Leaves the Host header unchanged, so that the origin of a WebSocket is the site's origin.
    proxy: { '/api': { target: workers, ws: true }, '/dev/identity': workers },
  },
});
await server.listen();
process.send?.('ready');

let stopping: Promise<void> | undefined;
const stop = () => (stopping ??= server.close().finally(() => process.exit(0)));
process.on('SIGTERM', () => void stop());
process.on('disconnect', () => void stop());
