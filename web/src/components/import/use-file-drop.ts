import { useState, type DragEvent } from 'react';

/** Props of a place into which a file can be dropped; it is outlined while one is over it. */
export function useFileDrop(give: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  return {
    className: `rounded-md ${isOver ? 'outline-2 outline-offset-4 outline-accent outline-dashed' : ''}`,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      give(file);
    },
  };
}
