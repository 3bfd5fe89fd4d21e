import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import type { PluggableList } from 'unified';
import type { VFile } from 'vfile';

/** Components that a document may contain; `src/features/docs/screen.tsx` implements them. */
const DOC_COMPONENTS: ReadonlySet<string> = new Set(['TryReading', 'PrivacyOfficer', 'PrivacyVersions']);

/**
 * Whether a document contains a component such as `<TryReading />` on a line of its own. Such a document is
 * compiled as MDX.
 */
export const hasDocComponent = (source: string) =>
  [...DOC_COMPONENTS].some((name) => new RegExp(`^<${name} />$`, 'm').test(source));

/** A node of the Markdown tree or of the HTML tree, into which MDX copies JSX elements unchanged. */
type Node = {
  type: string;
  name?: string | null;
  tagName?: string;
  properties?: object;
  attributes?: unknown[];
  children?: Node[];
  position?: Parameters<VFile['fail']>[1];
};

/**
 * Allows only components without attributes on a line of their own, because a document must not contain code.
 * @throws VFileMessage with the position of an expression, an import, HTML or an unknown component
 */
export function onlyKnownComponents() {
  return (tree: Node, file: VFile) => look(tree, file);
}

function look(node: Node, file: VFile): void {
  if (node.type.startsWith('mdx') && !isComponent(node)) {
    file.fail(
      `a document may contain ${[...DOC_COMPONENTS].join(', ')}, and no other code or HTML`,
      node.position,
    );
  }
  for (const child of node.children ?? []) look(child, file);
}

const isComponent = ({ type, name, attributes = [], children = [] }: Node) =>
  type === 'mdxJsxFlowElement' &&
  DOC_COMPONENTS.has(name ?? '') &&
  attributes.length === 0 &&
  children.length === 0;

const PLACE = 'doc-component';

/** The sanitiser would remove components, so an empty element replaces each component while it runs. */
export function sanitizeMdx(schema: Schema): PluggableList {
  const components: Node[] = [];
  const exchange = (node: Node, of: (child: Node) => Node): void => {
    if (node.children === undefined) return;
    node.children = node.children.map((child) => of(child));
    for (const child of node.children) exchange(child, of);
  };
  const takeOut = () => (tree: Node) => {
    exchange(tree, (child) => {
      if (!isComponent(child)) return child;
      components.push(child);
      return { type: 'element', tagName: PLACE, properties: {}, children: [] };
    });
  };
  const putBack = () => (tree: Node) => {
    exchange(tree, (child) => (child.tagName === PLACE ? (components.shift() ?? child) : child));
  };
  const allowed = { ...schema, tagNames: [...(schema.tagNames ?? []), PLACE] };
  return [takeOut, [rehypeSanitize, allowed], putBack];
}
