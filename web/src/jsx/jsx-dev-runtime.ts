import * as react from 'react/jsx-dev-runtime';
import { withWholeTexts } from './jsx-runtime.ts';

/* The development version of jsx-runtime.ts. */

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

export const jsxDEV: typeof react.jsxDEV = (type, props, ...others) =>
  react.jsxDEV(type, withWholeTexts(type, Object(props)), ...others);
