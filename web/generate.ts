import { compile } from '@inlang/paraglide-js';
import { tanstackRouterGenerator } from '@tanstack/router-plugin/vite';
import { resolveConfig } from 'vite';
import { paraglideOptions, routerOptions } from './vite/generated-code.ts';

// Generates the code that type-checking needs and git does not contain: messages and the route tree.
await compile(paraglideOptions);
// The route generator runs as soon as Vite has resolved a configuration that contains the plugin.
await resolveConfig(
  { root: import.meta.dirname, configFile: false, plugins: [tanstackRouterGenerator(routerOptions)] },
  'build',
);
