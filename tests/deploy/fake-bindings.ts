/**
 * Stands in for wrangler as a module where an operator's command reaches for what is deployed: bindings of the folder FAKE_ACCOUNT, of
 * real D1 and R2, in place of Cloudflare's. Loaded before such a command by NODE_OPTIONS.
 */
import { registerHooks } from 'node:module';

const place = new URL('fake-wrangler-module.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'wrangler' && context.parentURL !== place
      ? { url: place, shortCircuit: true }
      : next(specifier, context),
});
