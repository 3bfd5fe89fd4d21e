import type { ElementType, Key } from 'react';
import * as react from 'react/jsx-runtime';
import { withWholeTexts, type Props } from './whole-texts.ts';

/* What JSX compiles to (`jsxImportSource`): React's functions, with texts that a browser can translate. */

export { Fragment, type JSX } from 'react/jsx-runtime';

export const jsx = (type: ElementType, props: Props, key?: Key) =>
  react.jsx(type, withWholeTexts(type, props), key);

export const jsxs = (type: ElementType, props: Props, key?: Key) =>
  react.jsxs(type, withWholeTexts(type, props), key);
