import { readFileSync } from 'node:fs';

/** The commands of a code block of a page, and the heading above the block. */
export type CommandBlock = { page: string; heading: string; commands: string[] };

/** The `sh` blocks of a page. A \ at the end joins two lines. Comments and lines of variables are left out. */
export function commandBlocks(page: string): CommandBlock[] {
  const blocks: CommandBlock[] = [];
  let heading = '';
  let open: string[] | undefined;
  for (const line of readFileSync(page, 'utf8').split('\n')) {
    if (open && line === '```') {
      const commands = open
        .join('\n')
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map((text) => text.replace(/(^|\s)#.*$/, '').trim())
        .filter((text) => text !== '' && !/^[A-Z_]+=\S*$/.test(text));
      if (commands.length > 0) blocks.push({ page, heading, commands });
      open = undefined;
    } else if (open) open.push(line);
    else if (line === '```sh') open = [];
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
  }
  return blocks;
}
