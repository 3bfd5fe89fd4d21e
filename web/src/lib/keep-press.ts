/**
 * Keeps the last press of a button on a page that is not awake yet, by mouse, finger or key; the answer presses it again
 * and keeps no more. Links need no keeping: the browser follows them by itself.
 */
export function keepPress(root: HTMLElement): () => void {
  let pressed: HTMLElement | null | undefined;
  const keep = ({ target }: Event) => {
    if (target instanceof Element) pressed = target.closest('button');
  };
  root.addEventListener('click', keep);
  return () => {
    root.removeEventListener('click', keep);
    pressed?.click();
  };
}
