import { useQuery } from '@tanstack/react-query';
import type { BuiltDoc, BuiltText } from 'virtual:docs';
import { lazyPart } from '../../components/layout/lazy-part.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { useLocale, type Locale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { m } from '../../paraglide/messages.js';
import { isDocName } from './doc-name.ts';
import { builtDocQuery, currentDocQuery, type CurrentDoc } from './queries.ts';
import './doc.css';
import { DocLink } from './doc-link.tsx';
import { PrivacyOfficer, PrivacyVersions } from './privacy-parts.tsx';
import { useEffect, useId, useState } from 'react';
import type { MessageVerdict } from './check-message.ts';

const RenderedDoc = lazyPart(async () => (await import('./render-doc.tsx')).default, {
  pending: <LoadingPart rows={5} className="h-8" />,
  crashClassName: '',
});

/**
 * Shows a Markdown document, in Korean if there is no text in the reader's language. The text is
 * prerendered. The browser renders a document only if its file was added or changed after the build.
 */
export function DocScreen({ name, built }: { name: string; built: BuiltDoc | undefined }) {
  const locale = useLocale();
  const text = built && (built[locale] ?? built.ko);
  return (
    <article className="page-column py-10">
      {text && text.locale !== locale && <p className="mb-6 text-ink-soft">{m.doc_korean_only()}</p>}
      <div className="doc">
        {text ? (
          <Built key={name + text.locale} name={name} text={text} />
        ) : isDocName(name) ? (
          <Later key={name} name={name} />
        ) : (
          <Missing />
        )}
      </div>
    </article>
  );
}

/** Shows the prerendered version at once, and the file's content if the file has changed or was removed. */
function Built({ name, text }: { name: string; text: BuiltText }) {
  const { data: file = 'same' } = useQuery(builtDocQuery(name, text));
  if (file === 'same') return <Compiled text={text} />;
  return file === null ? <Missing /> : <Filed name={name} doc={file} locale={text.locale} />;
}

function Compiled({ text: { Content, title, locale } }: { text: BuiltText }) {
  usePageTitle(title);
  return (
    <div lang={locale}>
      <Content components={docComponents} />
    </div>
  );
}

function Later({ name }: { name: string }) {
  const { data: doc, isPending, refetch } = useQuery(currentDocQuery(name));
  if (isPending) return <LoadingPart rows={5} className="h-8" />;
  if (doc === undefined) return <Failed onRetry={() => void refetch()} />;
  return doc === null ? <Missing /> : <Filed name={name} doc={doc} locale="ko" />;
}

function Filed({ name, doc, locale }: { name: string; doc: CurrentDoc; locale: Locale }) {
  return (
    <div lang={locale}>
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

/**
 * Components that replace a document's elements, and components that a document may use;
 * `web/vite/docs-compile.ts` lists their names.
 */
const docComponents = { a: DocLink, TryReading, PrivacyOfficer, PrivacyVersions };

const EXAMPLE = '{ "soil_moisture": 512, "datetime": "2026-03-02T14:05:00+09:00", "seq": 7 }';
const SHOWN_MAX = 5;

/** Shows whether the bridge would accept a board's message, with the bridge's own code. */
function TryReading() {
  const id = useId();
  const [message, setMessage] = useState(EXAMPLE);
  const [judge, setJudge] = useState<{ of: (message: string) => MessageVerdict[] }>();
  useEffect(() => {
    // Loaded on demand, because it imports schemas that nothing else on the page needs.
    void import('./check-message.ts').then(({ checkMessage }) => setJudge({ of: checkMessage }));
  }, []);
  const verdicts = judge?.of(message) ?? [];
  return (
    <div className="doc-try">
      <label htmlFor={id}>
        보드가 보낼 내용을 적어 보세요. 아무것도 보내지 않고, 서버가 어떻게 받을지만 알려 줍니다.
      </label>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <output htmlFor={id}>
        {Array.from(verdicts.slice(0, SHOWN_MAX).entries(), ([at, { isAccepted, text }]) => (
          <p key={at} data-taken={isAccepted}>
            {isAccepted ? '저장합니다' : '받지 않습니다'}: {text}
          </p>
        ))}
        {verdicts.length > SHOWN_MAX && <p>그 밖에 {verdicts.length - SHOWN_MAX}개</p>}
      </output>
    </div>
  );
}
