import { useQuery } from '@tanstack/react-query';
import type { BuiltDoc } from 'virtual:docs';
import { lazyPart } from '../../components/layout/lazy-part.tsx';
import { FailedPart, LoadingPart } from '../../components/ui/part-state.tsx';
import { useLocale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { m } from '../../paraglide/messages.js';
import { DocLink } from './doc-link.tsx';
import { isDocName } from './doc-name.ts';
import { laterDocQuery } from './queries.ts';
import './doc.css';

const RenderedDoc = lazyPart(async () => (await import('./render-doc.tsx')).default, {
  pending: <LoadingPart rows={5} className="h-8" />,
  crashClassName: '',
});
const components = { a: DocLink };

/** A markdown document: compiled at build time, or fetched and rendered here when it was added later. */
export function DocScreen({ name, built }: { name: string; built: BuiltDoc | undefined }) {
  return (
    <article className="page-column py-10">
      <div className="doc">
        {built ? <Built doc={built} /> : isDocName(name) ? <Later key={name} name={name} /> : <Missing />}
      </div>
    </article>
  );
}

function Built({ doc: { default: Content, title } }: { doc: BuiltDoc }) {
  usePageTitle(title);
  return (
    <div lang="ko">
      <Content components={components} />
    </div>
  );
}

function Later({ name }: { name: string }) {
  const { data: doc, isPending, refetch } = useQuery(laterDocQuery(name));
  if (isPending) return <LoadingPart rows={5} className="h-8" />;
  if (doc === undefined) return <Failed onRetry={() => void refetch()} />;
  if (doc === null) return <Missing />;
  return (
    <div lang="ko">
      <RenderedDoc name={name} doc={doc} />
    </div>
  );
}

function Missing() {
  useLocale();
  usePageTitle(m.doc_not_found());
  return (
    <div role="alert">
      <h1>{m.doc_not_found()}</h1>
    </div>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  useLocale();
  usePageTitle(m.doc_failed());
  return (
    <div role="alert">
      <FailedPart text={m.doc_failed()} onRetry={onRetry} />
    </div>
  );
}
