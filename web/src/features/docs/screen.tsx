import { useQuery } from '@tanstack/react-query';
import { createElement, lazy, Suspense } from 'react';
import { docs } from 'virtual:docs';
import { LoadingPart } from '../../components/ui/part-state.tsx';
import { useLocale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { m } from '../../paraglide/messages.js';
import { docTextQuery } from './queries.ts';
import './doc.css';

const builtDocs = new Map(Object.entries(docs).map(([name, load]) => [name, createElement(lazy(load))]));

/** A markdown document: compiled at build time, or as plain text when it was added later. */
export function DocScreen({ name }: { name: string }) {
  usePageTitle(name);
  const builtDoc = builtDocs.get(name);
  return (
    <article className="page-column py-10">
      <div className="doc">
        {builtDoc ? (
          <Suspense fallback={<LoadingPart rows={5} className="h-8" />}>
            <div lang="ko">{builtDoc}</div>
          </Suspense>
        ) : (
          <LaterDoc name={name} />
        )}
      </div>
    </article>
  );
}

function LaterDoc({ name }: { name: string }) {
  useLocale();
  const { data, isPending, isError } = useQuery(docTextQuery(name));
  if (isPending) return <LoadingPart rows={5} className="h-8" />;
  if (isError) return <p role="alert">{m.doc_failed()}</p>;
  return data === null ? <p role="alert">{m.doc_not_found()}</p> : <pre>{data}</pre>;
}
