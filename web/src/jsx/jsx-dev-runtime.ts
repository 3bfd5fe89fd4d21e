import * as react from 'react/jsx-dev-runtime';
import { withWholeTexts } from './whole-texts.ts';

/* As jsx-runtime.ts, while developing. */

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

export const jsxDEV: typeof react.jsxDEV = (type, props, ...others) =>
  react.jsxDEV(type, withWholeTexts(type, Object(props)), ...others);
