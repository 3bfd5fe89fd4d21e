import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { ScreenCrash, ScreenPending } from './components/layout/lazy-part.tsx';
import { PageFrame } from './components/layout/page-frame.tsx';
import { Notices, Officer, setShownPrivacy } from './features/docs/privacy-parts.tsx';
import { setShownContent } from './features/landing/content.ts';
import { LandingScreen } from './features/landing/screen.tsx';
import { NewsScreen, ProjectScreen, useProject } from './features/landing/sub-pages.tsx';
import { setShownPublications, shownPublications } from './features/publications/queries.ts';
import { PublicationsScreen } from './features/publications/screen.tsx';
import { escapeHtml } from './head/escaped.ts';
import { jsonLd, mainPageHead, type Head } from './head/head.ts';
import { subPageHead } from './head/sub-page-head.ts';
import { PUBLISHED_LAB } from './lib/lab-content.ts';
import { applyLocaleOfPath, localeOfPath, localizedPath } from './lib/locale.ts';
import type { PublicContent, PublishedContent } from '#contract/public-content';
import { site } from '#content/lab.site';
import { englishTargetNote, isKoreanTarget, targetText } from '#contract/course-target';
import type { Course } from '#contract/courses';
import type { Locale } from '#contract/locale';
import { createQueryClient } from './query-client.ts';
import { CourseList } from './features/landing/components/course-list.tsx';
import { WeekLine } from './features/landing/components/week-line.tsx';
import { EMBEDDED_DATA_ID, type EmbeddedData } from './features/landing/queries.ts';
import { daysAgoText } from './features/landing/days.ts';
import { groupBy } from './lib/collections.ts';

/** The language and the content are global variables here, so pages are rendered one after the other. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Renders a page as the build does, with the published content in place of the built one.
 * @param built the page as the build wrote it
 * @param pathname of the main page, or of an existing page below it
 */
export async function renderPublishedPage(
  built: string,
  pathname: string,
  published: PublishedContent,
): Promise<string> {
  const drawn = last.then(() => renderPage(built, pathname, published));
  last = drawn.catch(() => undefined);
  return await drawn;
}

async function renderPage(
  built: string,
  pathname: string,
  { version, content, publications }: PublishedContent,
) {
  const locale = localeOfPath(pathname) ?? 'ko';
  const [, korean] = /^(?:\/en)?(\/(?:publications|news|projects\/.+))$/.exec(pathname) ?? [];
  const queryClient = createQueryClient(() => undefined);
  const router = routerOf(pathname, screenOf(korean));
  await router.load();
  const render = () => {
    applyLocaleOfPath(`/${locale}`);
    setShownContent(content);
    setShownPublications(publications.all);
    return renderToString(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    );
  };
  // The first render starts loading lazy parts; the second render has them.
  render();
  await new Promise((resolve) => setTimeout(resolve, 0));
  const head =
    korean === undefined
      ? mainPageHead(pathname, locale, content)
      : subPageHead(korean, locale, content, publications.all);
  const lab = `<script type="application/json" id="${PUBLISHED_LAB}">${jsonLd(content.lab)}</script>`;
  // The page of a project is inserted into the built news page, so the attributes still have its address.
  const own = built
    .replace(/ data-english="[^"]*"/, ` data-english="${escapeHtml(localizedPath('en', pathname))}"`)
    .replace(/ data-path="[^"]*"/, ` data-path="${escapeHtml(pathname)}"`);
  return withBody(withHead(own, head), `${render()}</div>${lab}`, version);
}

function screenOf(path: string | undefined): () => React.ReactNode {
  if (path === undefined) return LandingScreen;
  if (path === '/publications') return PublicationsScreen;
  if (path === '/news') return NewsScreen;
  return function Project() {
    const project = useProject(path.replace('/projects/', ''));
    return project && <ProjectScreen project={project} all={shownPublications()} />;
  };
}

/** Renders the published parts of the privacy notice; their keys are the names in `data-edge`. */
export function renderPrivacyParts(pathname: string, content: PublicContent): Record<string, string> {
  applyLocaleOfPath(`/${localeOfPath(pathname) ?? 'ko'}`);
  setShownPrivacy(content);
  return { officer: renderToString(<Officer />), notices: renderToString(<Notices />) };
}

function routerOf(path: string, component: () => React.ReactNode) {
  const root = createRootRoute({ component: PageFrame });
  const page = createRoute({ getParentRoute: () => root, path, component });
  return createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [path] }),
    defaultPendingComponent: ScreenPending,
    defaultErrorComponent: ScreenCrash,
  });
}

const ROOT =
  /(<div id="root"[^>]*?) data-content="0"(?: data-nothing)?([^>]*>).*<\/div>(?=\s*<template data-app>)/s;

function withBody(html: string, body: string, version: number): string {
  if (!ROOT.test(html)) throw new Error('the built page is not as this version of the site draws it');
  return html.replace(
    ROOT,
    (_, before: string, after: string) => `${before} data-content="${version}"${after}${body}`,
  );
}

const ONCE = [
  /<title>.*?<\/title>/s,
  /<meta\s+name="description"\s+content="[^"]*"\s*\/>/,
  /<link rel="canonical" href="[^"]*" \/>.*<script type="application\/ld\+json">.*?<\/script>/s,
] as const;

/** Replaces the title, the description, and all tags from the canonical address to the structured data. */
function withHead(html: string, { title, description, tags }: Head): string {
  const first = tags.findIndex((tag) => tag.includes('rel="canonical"'));
  const written = [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}" />`,
    tags.slice(first).join('\n    '),
  ];
  return ONCE.reduce((text, pattern, at) => text.replace(pattern, () => written[at] ?? ''), html);
}

/** The parts that the edge inserts into the prerendered main page. */
type RenderedParts = {
  /** For each name in `data-edge`: the content to put into that element. */
  parts: Record<string, string>;
  /** Inserted after the app: the data for hydration, and structured data for search engines. */
  after: string;
};

/** Renders the API's data with the browser's components, so that hydration finds the same HTML. */
export function renderPageParts(pathname: string, delivered: EmbeddedData): RenderedParts {
  const locale = localeOfPath(pathname) ?? 'ko';
  applyLocaleOfPath(`/${locale}`);
  const { courses, plant } = delivered;
  return {
    parts: {
      ...(courses && { courses: renderPart(<CourseList list={courses} />) }),
      ...(plant?.last && { plant: renderPart(<WeekLine plant={plant} />) }),
    },
    after:
      dataBlock('application/json', delivered, ` id="${EMBEDDED_DATA_ID}"`) +
      (courses && courses.courses.length > 0
        ? dataBlock('application/ld+json', courseData(courses.courses, locale))
        : ''),
  };
}

/** Says how many days ago the date of a `<time data-days>` was, in the language of the page's address. */
export const daysTextIn = (pathname: string, since: string) =>
  daysAgoText(since, localeOfPath(pathname) ?? 'ko', Date.now());

/** In the browser the components load later: a Suspense boundary keeps the rendered HTML until then. */
const renderPart = (part: ReactNode) => renderToString(<Suspense>{part}</Suspense>);

/** A data block that the browser does not execute, whatever text it contains. */
const dataBlock = (type: string, data: object, attributes = '') =>
  `<script type="${type}"${attributes}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

/** Structured data: every subject once, as a Course of schema.org, with the years in which it was taught. */
function courseData(courses: Course[], locale: Locale): object {
  const isKorean = locale === 'ko';
  // The page's head describes this organisation.
  const provider = { '@id': `${site.url}/#lab` };
  const subjects = groupBy(courses, ({ subject, subject_en }) => (isKorean ? subject : subject_en));
  return {
    '@context': 'https://schema.org',
    '@graph': [...subjects].map(([subject, taught]) => {
      const target = taught[0] && targetOf(taught[0], isKorean);
      const years = [...new Set(taught.map(({ year }) => (isKorean ? `${year}년` : year)))].join(', ');
      return {
        '@type': 'Course',
        name: subject,
        inLanguage: locale,
        description: [target, years].filter(Boolean).join(' · '),
        educationalLevel: target === '' ? undefined : target,
        provider,
      };
    }),
  };
}

const targetOf = (course: Course, isKorean: boolean) =>
  isKorean || !isKoreanTarget(course.target) ? targetText(course) : englishTargetNote(course);
