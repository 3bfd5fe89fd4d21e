declare module 'virtual:docs' {
  import type { ComponentType } from 'react';

  /** A file of public/markdown, compiled at build time. */
  export type BuiltDoc = {
    default: ComponentType<{ components?: Record<string, ComponentType> }>;
    /** Text of its first heading. */
    title: string;
    /** SHA-256 of the file in hex. */
    digest: string;
  };

  /** Files of public/markdown by name, without `.md`. */
  export const docs: Record<string, () => Promise<BuiltDoc>>;
}
