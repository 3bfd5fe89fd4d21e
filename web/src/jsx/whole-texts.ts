import type { ElementType } from 'react';
import { Fragment, jsx } from 'react/jsx-runtime';

/*
 * A browser that translates a page puts elements in the place of text nodes. React still holds those, so it writes where
 * nobody reads, or fails as it takes them away. A text that is all there is in its element is written whole and survives:
 * here texts side by side become one, and one beside elements gets its own.
 */

export type Props = { children?: unknown };

/** What holds text alone: a browser translates it whole, or not at all. */
const TEXT_ONLY = new Set<unknown>(['option', 'text', 'title', 'tspan']);

/** The properties of an element, with texts as described above. */
export function withWholeTexts(type: ElementType, props: Props): Props {
  const { children } = props;
  const whole = wholeTexts(children, !TEXT_ONLY.has(type));
  // A fragment's own text stands beside whatever is around the fragment.
  const changed = type === Fragment && isText(whole) ? inElement(whole) : whole;
  return changed === children ? props : { ...props, children: changed };
}

/**
 * Texts of a list as one, if there is nothing else in it; else each run of them in an element, in the place of its
 * first: what follows keeps its place, by which React knows it.
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
/** Blanks between elements are no text to translate. */
const inElement = (text: unknown, key?: string) =>
  String(text).trim() === '' ? text : jsx('span', { children: text }, key);
