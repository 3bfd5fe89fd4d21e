/**
 * Remembers the last press of a button before hydration, by mouse, touch or keyboard. The returned function repeats it
 * and stops listening. Links work without it.
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
