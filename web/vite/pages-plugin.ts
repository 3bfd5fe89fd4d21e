import type { Plugin } from 'vite';

/** Documents that the static host answers with; public/_redirects says which address gets which. */
const SHELLS = ['app.html', 'ko.html', 'en.html', '404.html'];

/** Puts copies of the page's shell beside index.html, so that every address of the app has a file to answer. */
export function pagesPlugin(): Plugin {
  return {
    name: 'pages',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('the build has no index.html');
      for (const fileName of SHELLS) this.emitFile({ type: 'asset', fileName, source: index.source });
    },
  };
}
