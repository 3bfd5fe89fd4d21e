import type { Content, ContentState } from '#contract/content';
import type { Locale } from '#contract/locale';
import { projectPath } from '#contract/public-content';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { itemName } from '../entries.ts';
import { contentFailureText, fetchPreview } from '../queries.ts';
import type { ListEntry } from '../value-at-path.ts';

const LANGUAGES = (['ko', 'en'] as const).map((each): [Locale, string] => [each, each.toUpperCase()]);
const WIDTHS: [number, string][] = [
  [1280, '컴퓨터'],
  [390, '휴대전화'],
];

const MAIN = 'main';

/** Lists the pages. A project is identified by its id, because a project's address changes with its name. */
function pagesOf({ publications, news, projects }: Content) {
  const page = (value: string, label: string, path = `/${value}`) => ({ value, label, path });
  return [
    page(MAIN, '첫 화면'),
    ...(publications.trim() === '' ? [] : [page('publications', '논문')]),
    ...(news.length === 0 ? [] : [page('news', '소식')]),
    ...projects.map((project) =>
      page(project.id ?? '', `과제: ${project.name.ko || project.name.en}`, projectPath(project)),
    ),
    page('privacy', '개인정보', '/docs/privacy'),
  ];
}

type Props = {
  /** The saved draft. When the draft's version changes, the preview is rendered again. */
  saved: ContentState;
  /** Id of the edited section, and the edited entry in the section. The preview scrolls to the entry. */
  section: string;
  entry: ListEntry | undefined;
};

/** Shows the page as the server would render the saved draft. The preview cannot run scripts. */
export function PagePreview({ saved: { version, draft }, section, entry }: Props) {
  const pages = pagesOf(draft);
  const [chosen, choose] = useState(MAIN);
  const [locale, setLocale] = useState<Locale>('ko');
  const [seen, setSeen] = useState(section);
  if (seen !== section) {
    setSeen(section);
    choose(pages.some(({ value }) => value === section) ? section : MAIN);
  }
  const { value: shown, path } = pages.find(({ value }) => value === chosen) ?? { value: MAIN, path: '' };
  const english = locale === 'en' ? '/en' : '';
  const page = shown === MAIN ? `/${locale}` : english + path;
  const [width, setWidth] = useState(1280);
  const [html, setHtml] = useState('');
  const [failure, setFailure] = useState<string>();
  const frame = useRef<HTMLIFrameElement>(null);
  const place = useRef(0);
  const drawn = useRef('');
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const aborted = new AbortController();
    const draw = async () => {
      try {
        const text = await fetchPreview(page, version, aborted.signal);
        place.current = drawn.current === page ? (frame.current?.contentWindow?.scrollY ?? 0) : 0;
        drawn.current = page;
        setHtml(text);
        setFailure(undefined);
      } catch (error) {
        if (aborted.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setFailure(contentFailureText(error));
      }
    };
    void draw();
    return () => aborted.abort();
  }, [page, version]);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  // Does not use scrollIntoView(), which would scroll the editor's page as well.
  const follow = useEffectEvent((isElsewhere: boolean) => {
    const { contentDocument: shown, contentWindow: view } = frame.current ?? {};
    const part = shown?.getElementById(section);
    const words = entry ? itemName({ ...entry, date: '' }, locale) : '';
    const all = words === '' ? [] : [...((part ?? shown?.body)?.querySelectorAll('*') ?? [])];
    const found = all.findLast((element) => element.textContent.includes(words));
    const target = found ?? (isElsewhere ? part : undefined);
    const above = found ? 200 : 0;
    if (view && target) view.scrollTo(0, target.getBoundingClientRect().top + view.scrollY - above);
    else view?.scrollTo(0, place.current);
  });
  // Scrolls only when the user edits another entry, not after each typed letter.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => follow(true), [section, entry?.id]);
  const scale = room.width === 0 ? 1 : Math.min(1, room.width / width);
  return (
    <section aria-label="미리보기" className="min-w-0">
      <div className="flex gap-2">
        <SelectField
          className="min-w-0 grow"
          size="sm"
          label="미리 볼 페이지"
          isLabelHidden
          options={pages}
          value={shown}
          onChange={choose}
        />
        <Choices options={LANGUAGES} chosen={locale} onChoose={setLocale} />
        <Choices options={WIDTHS} chosen={width} onChoose={setWidth} />
      </div>
      {failure !== undefined && (
        <p className="mt-2 text-sm text-danger">미리보기를 그릴 수 없습니다. {failure}</p>
      )}
      <div
        ref={box}
        className="mt-2 overflow-hidden rounded-lg border border-line bg-sunken"
        style={{ height: 'clamp(20rem, 100dvh - 13rem, 45rem)' }}
      >
        <iframe
          ref={frame}
          title="미리보기"
          // `allow-same-origin` gives the preview the page's own address; its scripts stay blocked.
          sandbox="allow-same-origin"
          srcDoc={html}
          onLoad={() => follow(false)}
          className="mx-auto block origin-top-left border-0 bg-paper"
          style={{ width, height: room.height / scale, transform: `scale(${scale})` }}
        />
      </div>
    </section>
  );
}

type ChoicesProps<Value> = { options: [Value, string][]; chosen: Value; onChoose: (value: Value) => void };

function Choices<Value extends string | number>({ options, chosen, onChoose }: ChoicesProps<Value>) {
  return (
    <div className="flex shrink-0 rounded-md border border-line-strong bg-surface">
      {options.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
          className={`min-h-8 rounded-md px-2.5 text-sm hover:text-accent pointer-coarse:min-h-11 ${value === chosen ? 'bg-accent-wash font-semibold text-accent' : ''}`}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
