import { inflateSync } from 'node:zlib';

/**
 * The text runs on each sheet of Chromium's PDF, in drawing order. A run has glyphs and fonts but no
 * position, so equal words are equal on every sheet. The words themselves are not known.
 */
export function pdfRuns(pdf: Buffer): string[][] {
  const text = pdf.toString('latin1');
  const streams = [...text.matchAll(/\/Filter \/FlateDecode[^>]*>>\s*stream\r?\n/g)].flatMap((head) => {
    const start = head.index + head[0].length;
    const drawn = inflateSync(pdf.subarray(start, text.indexOf('endstream', start))).toString('latin1');
    return drawn.includes('\nBT\n') ? [drawn] : [];
  });
  return streams.map((drawn) =>
    [...drawn.matchAll(/^BT\n([^]*?)\nET$/gm)].map(([, run = '']) => run.replaceAll(/^.* Tm\n/gm, '')),
  );
}
