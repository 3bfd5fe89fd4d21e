/** Finds out which file imports which other file. It reads the text of the sources. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import * as z from 'zod';

/** Paths from the root; for a package, `to` is its name. An import with `isType` does nothing at run time. */
export type Import = { from: string; to: string; isType: boolean };

const { imports: aliases } = z
  .object({
    imports: z.record(
      z.string(),
      z.union([z.string(), z.object({ types: z.string() }).transform(({ types }) => types)]),
    ),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** Finds `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`, but not in comments. */
const importLine =
  /(?:^(?:import|export)\b(?<type> type\b)?(?:[^;']*?\bfrom\s)?\s*|\bimport\()'(?<name>[^']+)'/gm;

export function readImports(file: string): Import[] {
  return [...readFileSync(file, 'utf8').matchAll(importLine)].map(({ groups }) => {
    const name = groups?.['name'] ?? '';
    return {
      from: file,
      to: name.startsWith('.') ? normalize(join(dirname(file), name)) : fromAlias(name),
      isType: groups?.['type'] !== undefined,
    };
  });
}

/** The path for a name such as `#contract/terms`, which package.json maps to `contract/terms.ts`. */
function fromAlias(name: string): string {
  const [alias = name, ...rest] = name.split('/');
  const place = aliases[`${alias}/*`] ?? aliases[name];
  return place === undefined ? name : normalize(place.replace('*', rest.join('/')));
}

/** Finds a path in a text. `more` is the next character, if it begins a glob or a part of a template. */
const pathInText =
  /(?<=['"` ]|\.\/)(?<path>(?:contract|content|db|http|worker|ingest|firmware|firmware-bridge|web|local|scripts|migrations|docs|tests)\/[\w./@-]*)(?<more>[*{$]?)/g;

/** The files and folders of ours whose paths are in a file's text. A folder's path ends with `/`. */
export function pathsNamedIn(file: string): string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(pathInText)].flatMap(({ groups }) => {
    const { path = '', more = '' } = groups ?? {};
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    if (more !== '' || path === folder) return existsSync(folder) ? [folder] : [];
    if (!existsSync(path)) return [];
    return statSync(path).isDirectory() ? [`${path}/`] : [path];
  });
  return [...new Set(found)];
}
