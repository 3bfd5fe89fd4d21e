import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { previewOf } from '../queries.ts';

const PAGES = [
  { page: '/ko', label: '한국어' },
  { page: '/en', label: 'English' },
  { page: '/publications', label: '논문' },
  { page: '/docs/privacy', label: '개인정보' },
] as const;
const WIDTHS = [
  { width: 1280, label: '컴퓨터' },
  { width: 390, label: '휴대전화' },
] as const;

/**
 * The very page, as the server would draw it of the saved draft. It cannot run scripts.
 * @param version of the draft: another one is drawn anew, at the place to which one has scrolled
 * @param section id of what is edited: the page goes there
 */
export function Preview({ version, section }: { version: number; section: string }) {
  const [page, setPage] = useState<string>(PAGES[0].page);
  const [width, setWidth] = useState<number>(WIDTHS[0].width);
  const [html, setHtml] = useState('');
  const [failure, setFailure] = useState<string>();
  const frame = useRef<HTMLIFrameElement>(null);
  const place = useRef(0);
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const aborted = new AbortController();
    const draw = async () => {
      try {
        const text = await previewOf(page, version, aborted.signal);
        place.current = frame.current?.contentWindow?.scrollY ?? 0;
        setHtml(text);
        setFailure(undefined);
      } catch (error) {
        if (aborted.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setFailure(error.message);
      }
    };
    void draw();
    return () => aborted.abort();
  }, [page, version]);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    frame.current?.contentDocument?.getElementById(section)?.scrollIntoView();
  }, [section]);
  const scale = room === 0 ? 1 : Math.min(1, room / width);
  const height = 720;
  return (
    <section aria-label="미리보기" className="min-w-0">
      <div className="flex flex-wrap justify-between gap-2">
        <div className="flex gap-1">
          {PAGES.map((each) => (
            <Choice
              key={each.page}
              isChosen={page === each.page}
              label={each.label}
              onClick={() => setPage(each.page)}
            />
          ))}
        </div>
        <div className="flex gap-1">
          {WIDTHS.map((each) => (
            <Choice
              key={each.width}
              isChosen={width === each.width}
              label={each.label}
              onClick={() => setWidth(each.width)}
            />
          ))}
        </div>
      </div>
      {failure !== undefined && (
        <p className="mt-2 text-sm text-danger">미리보기를 그릴 수 없습니다. {failure}</p>
      )}
      <div
        ref={box}
        className="mt-2 overflow-hidden rounded-lg border border-line bg-sunken"
        style={{ height: height * Math.max(scale, 0.5) }}
      >
        <iframe
          ref={frame}
          title="미리보기"
          // The page's own address, without its scripts.
          sandbox="allow-same-origin"
          srcDoc={html}
          onLoad={() => frame.current?.contentWindow?.scrollTo(0, place.current)}
          className="mx-auto block origin-top-left border-0 bg-paper"
          style={{ width, height: (height * Math.max(scale, 0.5)) / scale, transform: `scale(${scale})` }}
        />
      </div>
    </section>
  );
}

function Choice({ isChosen, label, onClick }: { isChosen: boolean; label: string; onClick: () => void }) {
  return (
    <Button variant={isChosen ? 'default' : 'outline'} size="sm" aria-pressed={isChosen} onClick={onClick}>
      {label}
    </Button>
  );
}
