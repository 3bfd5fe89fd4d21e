import { inflateSync } from 'node:zlib';

/**
 * The runs of text on each sheet of Chromium's PDF, in the order in which they are drawn: glyphs with their fonts and not
 * where they stand, so that the same words are equal on every sheet. What they say is not known.
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
