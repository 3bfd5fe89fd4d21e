import type { Content } from '#contract/content';
import content from './content.json' with { type: 'json' };
import { publications } from './publications.ts';

/** What the public pages say until something is published in the portal, and in a fresh installation. */
export const firstVersion: Content = { ...content, publications };
