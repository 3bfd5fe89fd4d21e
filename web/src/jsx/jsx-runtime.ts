import type { ElementType, Key } from 'react';
import * as react from 'react/jsx-runtime';
import { withWholeTexts, type Props } from './whole-texts.ts';

/* What JSX is compiled to (`jsxImportSource`): React's own, with texts that survive a translation. */

export { Fragment, type JSX } from 'react/jsx-runtime';

export const jsx = (type: ElementType, props: Props, key?: Key) =>
  react.jsx(type, withWholeTexts(type, props), key);

export const jsxs = (type: ElementType, props: Props, key?: Key) =>
  react.jsxs(type, withWholeTexts(type, props), key);
