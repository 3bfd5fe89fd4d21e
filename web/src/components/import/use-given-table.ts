import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { readTable } from '../../lib/table-file/read-table.ts';
import type { ReadTable, RowOptions, TableSource } from '../../lib/table-file/table-source.ts';

/** A table that was read; another `id` for each reading. */
export type GivenTable = ReadTable & { id: number };

/** Where the text is held: a draft, as of `useKeptText`. */
export type HeldText = { text: string; setText: (text: string) => void };

/** The first step: what was pasted, dropped or chosen, and the table that was read of it. */
export type Given = HeldText & {
  /** Instead of the text. */
  file: File | undefined;
  /** Undefined until something is read, and again as soon as something else is given. */
  table: GivenTable | undefined;
  isReading: boolean;
  /** Why a file cannot be read, and what to do about it. */
  refusal: string | undefined;
  /** Takes a text or file and reads it at once, or with `isHeld` only when read() is called. */
  give: (source: TableSource, isHeld?: boolean) => void;
  /** Reads what was given. */
  read: () => void;
  /** Forgets the file, or else the text. */
  clear: () => void;
  /** Forgets the table alone: what was given stays. */
  close: () => void;
};

let lastId = 0;

export function useGivenTable({ text, setText }: HeldText, options: RowOptions = {}): Given {
  const [file, setFile] = useState<File>();
  const { mutate, reset, data, isPending } = useMutation({
    mutationFn: async (source: TableSource) => {
      const read = await readTable(source, options);
      return 'refusal' in read ? read : { ...read, id: (lastId += 1) };
    },
  });
  const table = data && 'rows' in data ? data : undefined;
  return {
    text,
    setText: (next) => {
      setText(next);
      reset();
    },
    file,
    // Deferred: the check is drawn in steps, so that the page stays responsive.
    table: useDeferredValue(table),
    isReading: isPending,
    refusal: data && 'refusal' in data ? data.refusal : undefined,
    give: (source, isHeld = false) => {
      if ('text' in source) setText(source.text);
      setFile('file' in source ? source.file : undefined);
      if (isHeld) reset();
      else mutate(source);
    },
    read: () => mutate(file ? { file } : { text }),
    clear: () => {
      if (!file) setText('');
      setFile(undefined);
      reset();
    },
    close: reset,
  };
}
