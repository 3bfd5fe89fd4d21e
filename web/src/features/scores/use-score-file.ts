import { useMutation } from '@tanstack/react-query';
import { toTsv } from '../../lib/csv.ts';
import { readTable } from '../../lib/table-file/read-table.ts';

type Source = { file: File; sheet?: number };

/** A file's sheet as the text that a paste of it is, so that both are graded alike. */
export function useScoreFile(onText: (text: string) => void) {
  const { mutate, data, variables, isPending } = useMutation({
    mutationFn: async (source: Source) => {
      const read = await readTable(source, { keepEmptyRows: true });
      return 'refusal' in read ? read : { ...read, text: toTsv(read.rows) };
    },
    onSuccess: (read) => {
      if ('text' in read) onText(read.text);
    },
  });
  const read = data && 'text' in data && variables ? { ...data, file: variables.file } : undefined;
  return {
    give: (file: File | undefined, sheet = 0) => file && mutate({ file, sheet }),
    isReading: isPending,
    refusal: data && 'refusal' in data ? data.refusal : undefined,
    /** What was read last. */
    read,
  };
}
