import { join } from 'node:path';
import { getPlatformProxy as realProxy, type GetPlatformProxyOptions } from 'wrangler';

export * from 'wrangler';

/** Bindings that are said to be remote are those of the account's folder. */
export const getPlatformProxy = (options?: GetPlatformProxyOptions) =>
  realProxy({
    ...options,
    remoteBindings: false,
    persist: { path: join(process.env['FAKE_ACCOUNT'] ?? '', 'v3') },
  });
