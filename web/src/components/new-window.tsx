/** Stands in every link that opens a window of its own, so that nobody is taken there unawares. */
export function NewWindow() {
  return <span className="text-sm">(새 창)</span>;
}
