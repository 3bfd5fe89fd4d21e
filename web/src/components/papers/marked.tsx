import type { MarkedText } from '../../lib/publication.ts';

/** Text with its italics, subscripts and the like. */
export function Marked({ text }: { text: MarkedText }) {
  if (typeof text === 'string') return text;
  return text.map((part, place) => {
    if (typeof part === 'string') return part;
    const { tag: Tag, content } = part;
    return (
      // The parts of a text never change places.
      // oxlint-disable-next-line react/no-array-index-key
      <Tag key={place}>
        <Marked text={content} />
      </Tag>
    );
  });
}
