import { useQuery } from '@tanstack/react-query';
import type { BuiltDoc } from 'virtual:docs';
import { lazyPart } from '../../components/layout/lazy-part.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { useLocale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { m } from '../../paraglide/messages.js';
import { docComponents } from './components.ts';
import { isDocName } from './doc-name.ts';
import { builtDocQuery, filedDocQuery, type FiledDoc } from './queries.ts';
import './doc.css';

const RenderedDoc = lazyPart(async () => (await import('./render-doc.tsx')).default, {
  pending: <LoadingPart rows={5} className="h-8" />,
  crashClassName: '',
});

/** A markdown document: prebuilt, or rendered here if its file was added or changed later. */
export function DocScreen({ name, built }: { name: string; built: BuiltDoc | undefined }) {
  return (
    <article className="page-column py-10">
      <div className="doc">
        {built ? (
          <Built key={name} name={name} doc={built} />
        ) : isDocName(name) ? (
          <Later key={name} name={name} />
        ) : (
          <Missing />
        )}
      </div>
    </article>
  );
}

/** Shows the prebuilt version at once, and the file's content if it was changed or removed since. */
function Built({ name, doc }: { name: string; doc: BuiltDoc }) {
  const { data: file = 'same' } = useQuery(builtDocQuery(name, doc.digest));
  if (file === 'same') return <Compiled doc={doc} />;
  return file === null ? <Missing /> : <Filed name={name} doc={file} />;
}

function Compiled({ doc: { default: Content, title } }: { doc: BuiltDoc }) {
  usePageTitle(title);
  return (
    <div lang="ko">
      <Content components={docComponents} />
    </div>
  );
}

function Later({ name }: { name: string }) {
  const { data: doc, isPending, refetch } = useQuery(filedDocQuery(name));
  if (isPending) return <LoadingPart rows={5} className="h-8" />;
  if (doc === undefined) return <Failed onRetry={() => void refetch()} />;
  return doc === null ? <Missing /> : <Filed name={name} doc={doc} />;
}

function Filed({ name, doc }: { name: string; doc: FiledDoc }) {
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
