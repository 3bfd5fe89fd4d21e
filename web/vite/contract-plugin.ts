import type { Plugin } from 'vite';

const CONTRACT = /\/contract\/[\w-]+\.ts$/;

/**
 * Marks every schema of the contract, and every object that holds some, as free of side effects. The main page takes
 * a few rules of modules that hold schemas too; without this a schema that nobody there uses would still be built, and
 * bring zod with it.
 */
export function contractPlugin(): Plugin {
  return {
    name: 'contract',
    apply: 'build',
    transform(code, id) {
      if (!CONTRACT.test(id)) return undefined;
      const wraps = this.parse(code).body.flatMap((statement) => {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declaration?.type !== 'VariableDeclaration') return [];
        return declaration.declarations.flatMap(({ init }) =>
          init?.type === 'CallExpression' || init?.type === 'ObjectExpression' ? [init] : [],
        );
      });
      return {
        code: wraps.reduceRight(
          (text, { start, end }) =>
            `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
          code,
        ),
        map: null,
      };
    },
  };
}
