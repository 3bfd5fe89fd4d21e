import type { ElementType, Key } from 'react';
import * as react from 'react/jsx-runtime';

/* What JSX compiles to (`jsxImportSource`): React's functions, with texts that a browser can translate. */

export { Fragment, type JSX } from 'react/jsx-runtime';

export const jsx = (type: ElementType, props: Props, key?: Key) =>
  react.jsx(type, withWholeTexts(type, props), key);

export const jsxs = (type: ElementType, props: Props, key?: Key) =>
  react.jsxs(type, withWholeTexts(type, props), key);

/*
 * A browser's page translation replaces text nodes with elements. React keeps the old nodes, so its updates
 * are invisible, or removing a node throws. A text that is the only child of its element is set as a whole,
 * which works: so neighbouring texts are joined here, and a text beside elements gets an element of its own.
 */

type Props = { children?: unknown };

/** Elements that may contain only text: a browser translates them as a whole, or not at all. */
const TEXT_ONLY: ReadonlySet<unknown> = new Set(['option', 'text', 'title', 'tspan']);

/** The props of an element, with texts as described above. */
export function withWholeTexts(type: ElementType, props: Props): Props {
  const { children } = props;
  const whole = wholeTexts(children, !TEXT_ONLY.has(type));
  // A fragment's only text is beside the fragment's siblings in the page.
  const changed = type === react.Fragment && isText(whole) ? inElement(whole) : whole;
  return changed === children ? props : { ...props, children: changed };
}

/**
 * Joins the texts of a list if it has no other children; otherwise puts each run of texts into an element at
 * the place of its first text. The other children keep their positions, by which React identifies them.
 */
function wholeTexts(list: unknown, mayWrap: boolean): unknown {
  if (!Array.isArray(list) || !list.some((child) => isText(child) || Array.isArray(child))) return list;
  const children = list.map((child: unknown) => wholeTexts(child, mayWrap));
  const others = children.filter((child) => !isNothing(child));
  if (others.length > 0 && others.every(isText)) return others.join('');
  if (!mayWrap) return list;
  let at = -1;
  children.forEach((child, place) => {
    if (!isText(child)) {
      if (!isNothing(child)) at = -1;
    } else if (at < 0) at = place;
    else {
      children[at] = String(children[at]) + String(child);
      children[place] = null;
    }
  });
  return children.map((child, place) => (isText(child) ? inElement(child, `text ${place}`) : child));
}

const isText = (child: unknown) => typeof child === 'string' || typeof child === 'number';
const isNothing = (child: unknown) => child == null || typeof child === 'boolean';
/** White space between elements is not translated. */
const inElement = (text: unknown, key?: string) =>
  String(text).trim() === '' ? text : react.jsx('span', { children: text }, key);
