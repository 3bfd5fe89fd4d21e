import type { Content } from '#contract/content';
import content from './content.json' with { type: 'json' };
import { publications } from './publications.ts';

/** The content of the public pages until something is published, as in a fresh installation. */
export const firstVersion: Content = { ...content, publications };
