import { compile } from '@inlang/paraglide-js';
import { tanstackRouterGenerator } from '@tanstack/router-plugin/vite';
import { resolveConfig } from 'vite';
import { paraglideOptions, routerOptions } from './vite/generated-code.ts';

// Writes the code that the type-check needs and git does not hold: messages and route tree.
await compile(paraglideOptions);
// The generator runs when Vite has resolved a configuration that holds it.
await resolveConfig(
  { root: import.meta.dirname, configFile: false, plugins: [tanstackRouterGenerator(routerOptions)] },
  'build',
);
