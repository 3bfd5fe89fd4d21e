declare module 'virtual:docs' {
  import type { ComponentType } from 'react';

  /** Every file of public/markdown by its name without `.md`, compiled at build time. */
  export const docs: Record<string, () => Promise<{ default: ComponentType }>>;
}
