/**
 * `npm run content -- export | import`, on the local database or, with --remote, on the deployed one. export
 * writes the published content into the files of content/; import makes these files the draft.
 */
import { contentSchema, completeContent } from '#contract/content-schema';
import { firstVersion } from '#content/first-version';
import * as z from 'zod';
import { replaceFiles } from '../../firmware-bridge/src/files.ts';
import {
  refuseExtraArguments,
  UsageError,
  type ParsedArgs,
} from '../../firmware-bridge/src/commands/command-line.ts';
import { nameOption, targetName, deploymentTarget } from '../deployment-name.ts';
import { defineCommand, runAsProgram } from '../terminal.ts';
import { applyChange, quoteSqlText } from './operator-d1.ts';

const HELP = {
  command: 'npm run content --',
  does: 'copies the texts of the public pages between the portal and the files in content/.',
  ways: [
    ['export [--remote]', 'writes the published texts into content/content.json and content/publications.ts'],
    ['import [--remote]', 'stores the files as the draft, which somebody then publishes in the portal'],
  ],
  options: {
    remote: { type: 'boolean', tells: 'in the deployed database, instead of DATA_DIR' },
    name: nameOption,
  },
  example: 'npm run content -- export',
  page: 'content/README.md',
} as const;

const rowsSchema = z.array(z.object({ content: z.string() }));
const FILES = { texts: 'content/content.json', papers: 'content/publications.ts' };

/** Writes content into the files of content/. @param folder the folder in which content/ is */
export function writeContent(json: string, folder = '.'): void {
  const { publications, ...texts } = completeContent(JSON.parse(json));
  // Some characters cannot be written in a template literal.
  const isPlain = !/`|\$\{|\\u|\\x|\\$/.test(publications);
  const source = isPlain ? `String.raw\`${publications}\`` : JSON.stringify(publications);
  const mode = 0o644;
  replaceFiles([
    { file: `${folder}/${FILES.texts}`, content: `${JSON.stringify(texts, null, 2)}\n`, mode },
    {
      file: `${folder}/${FILES.papers}`,
      content: `/** BibTeX, as reference managers export it. */\nexport const publications = ${source};\n`,
      mode,
    },
  ]);
}

async function carryOut({ words, values }: ParsedArgs<typeof HELP.options>): Promise<string> {
  const [action, ...more] = words;
  refuseExtraArguments(more);
  const where = deploymentTarget(values);
  if (action === 'export') {
    const read = 'SELECT content FROM content_versions ORDER BY id DESC LIMIT 1';
    const [row] = rowsSchema.parse(await applyChange({ write: [], read }, where));
    if (!row)
      return `nothing is published in ${targetName(where)}: visitors see ${FILES.texts} and ${FILES.papers} as deployed`;
    writeContent(row.content);
    return `${FILES.texts} and ${FILES.papers} now have the published texts of ${targetName(where)}`;
  }
  if (action !== 'import') throw new UsageError('say what to do: export or import');
  const content = quoteSqlText(JSON.stringify(contentSchema.parse(firstVersion)));
  const [row] = rowsSchema.parse(
    await applyChange(
      {
        write: [
          `INSERT INTO content_draft (id, version, content) VALUES (1, 1, ${content})
           ON CONFLICT (id) DO UPDATE SET version = version + 1, content = excluded.content`,
        ],
        read: 'SELECT content FROM content_draft',
        isSecret: true,
      },
      where,
    ),
  );
  if (!row) throw new Error('the database did not store the draft: try again');
  return `the files are now the draft in ${targetName(where)}: an admin (level 1) publishes it on /manage_content`;
}

export const contentCommand = defineCommand(HELP, carryOut);

if (import.meta.main) await runAsProgram(contentCommand);
