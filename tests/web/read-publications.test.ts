import { describe, expect, test } from 'vitest';
import { plainText } from '#contract/publications';
import { readPublications } from '#content/bibtex/read-publications';

const FILE = 'content/publications.bib';
const YOON = { ko: '윤서준', en: 'Seojun Yoon' };
const RADIO = { ko: '무선 통신', en: 'Radio' };
const KNOWN = { people: [YOON], topics: [RADIO] };

const read = (source: string) => readPublications(source, FILE, KNOWN);
const first = (source: string) => read(source).all[0];
const message = (source: string) => {
  try {
    read(source);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'nothing is wrong';
};

describe('what a BibTeX file says', () => {
  test('PUB-20 is read with its LaTeX: accents, math, dashes, @string, names in every order', () => {
    const publication = first(String.raw`
@string{jnl = "Journal of Made Up Things"}
@Article{all,
  author = {Yoon, Seo-Jun and J{\"o}rg M\"uller and {The CPS Consortium} and Garc{\'\i}a-L\'opez, Ana and van der Berg, Piet},
  title = {An $\mathcal{O}(n \log n)$ Test for {CO$_2$} Nodes: {\emph{Why}} 10\,{\textmu}W \& 99.9\,\% Suffice --- Really.},
  journal = jnl # " B", volume = 3, number = 2, pages = {1-12}, year = 2024, month = jan,
  doi = {https://doi.org/10.5555/a_b.1},
  pdf = {https://papers.example/a%20b_c.pdf},
  abstract = {If a < b and $x^2 > 1$,
    \textit{this} holds.}
}`);
    expect(publication).toMatchObject({
      key: 'all',
      kind: 'article',
      year: 2024,
      venue: 'Journal of Made Up Things B, 3(2), 1–12',
      doi: '10.5555/a_b.1',
      pdf: 'https://papers.example/a%20b_c.pdf',
      authors: [
        { name: 'Seo-Jun Yoon', person: YOON },
        { name: 'Jörg Müller' },
        { name: 'The CPS Consortium' },
        { name: 'Ana García-López' },
        { name: 'Piet van der Berg' },
      ],
    });
    expect(publication?.title).toContainEqual({ tag: 'i', content: 'Why' });
    expect(plainText(publication?.title ?? '').replaceAll(/\s/g, ' ')).toBe(
      'An O(n log n) Test for CO₂ Nodes: Why 10 µW & 99.9 % Suffice — Really',
    );
    expect(plainText(publication?.abstract ?? '')).toBe('If a < b and x²>1, this holds.');
  });

  test('PUB-23 has its award, and of its keywords those that are topics of the laboratory', () => {
    expect(
      first(
        '@misc{a, author={A B}, title={T}, year={2022}, award={Best {P}aper}, keywords={radio, Soil; 무선 통신}}',
      ),
    ).toMatchObject({ award: 'Best Paper', topics: [RADIO] });
  });

  test('PUB-20 is read in Korean as in English', () => {
    expect(
      first(
        '@inproceedings{a, author={임채아 and 윤, 서준}, title={노드의 하루}, booktitle={학술대회}, year={2022}}',
      ),
    ).toEqual({
      key: 'a',
      kind: 'inproceedings',
      year: 2022,
      title: '노드의 하루',
      authors: [{ name: '임채아' }, { name: '윤서준', person: YOON }],
      venue: '학술대회',
    });
  });

  test('PUB-20 stands newest first, by month within a year; at most five are selected', () => {
    const entry = (key: string, year: number, month = '') =>
      `@article{${key}, author={Kim, A}, title={On ${key}}, year=${year}, ${month && `month=${month},`} selected={true}}\n`;
    const { all, selected } = read(
      entry('a', 2020) +
        entry('b', 2022, 'feb') +
        entry('c', 2022) +
        entry('d', 2022, 'nov') +
        entry('e', 2019) +
        entry('f', 2018),
    );
    expect(all.map(({ key }) => key)).toEqual(['d', 'b', 'c', 'a', 'e', 'f']);
    expect(selected.map(({ key }) => key)).toEqual(['d', 'b', 'c', 'a', 'e']);
  });

  test('PUB-20 is copied as plain BibTeX: @string replaced, the fields of this site left out, LaTeX as it was', () => {
    const { bibtex } = read(String.raw`@string{jnl = "Journal"}
@article{a, author = {M{\"u}ller, J\"urgen}, title = {{CO$_2$} \& co}, journal = jnl, year = 2024, month = may,
  pages = {1--2}, pdf = {https://x.example/a.pdf}, code = {/c}, abstract = {No}, selected = {false}}
@misc{b, author = {M{\"u}ller, J\"urgen}, title = {{CO$_2$} \& Co}, year = 2023, howpublished = {A preprint}}`);
    expect(bibtex).toBe(String.raw`@article{a,
  author = {M{\"u}ller, J\"urgen},
  title = {{CO$_2$} \& co},
  journal = {Journal},
  year = {2024},
  month = may,
  pages = {1--2},
}
`);
  });

  test('PUB-20 may be nothing at all', () => {
    expect(read('% none yet\n')).toEqual({ all: [], selected: [], bibtex: '' });
  });
});

describe('what is wrong with a BibTeX file', () => {
  const whole = '@article{a,\n author={Kim, A},\n title={B},\n year=2020';

  test.each([
    [
      '@article{a,\n title={x}\n year=2020}',
      `${FILE}:3: a: expected "}", found "year=2020}"... The entry begins in line 1.`,
    ],
    ['@article{a,\n title={x,\n year=2020}\n\n@article{b,title={y}}', `${FILE}:5: a: `],
    [`${whole}, journal=nowhere}`, `${FILE}:4: there is no @string of the name nowhere`],
    [`${whole},\n note={\\unknown{x}}}`, `${FILE}:5: a: \\unknown is no LaTeX that the site knows`],
    ['\n@article{a,\n author={A},\n year=2020}', `${FILE}:2: a: title is missing`],
    ['@article{a,\n title={A},\n year=2020}', `${FILE}:1: a: author is missing`],
    ['@article{a,\n author={A},\n title={A}}', `${FILE}:1: a: year is missing`],
    ['@article{a, author={A}, title={A},\n year={in press}}', `${FILE}:2: a: in press is no year`],
    ['@article{a, author={A}, title={A},\n year=20244}', `${FILE}:2: a: 20244 is no year`],
    [`${whole},\n doi={doi:1.2/x}}`, `${FILE}:5: a: doi:1.2/x is no DOI`],
    [`${whole},\n pdf={javascript:alert(1)}}`, `${FILE}:5: a: pdf: javascript:alert(1) is no address`],
    [`${whole},\n code={//x.example}}`, `${FILE}:5: a: code: //x.example is no address`],
    [`${whole},\n url={/\\x.example}}`, `${FILE}:5: a: url: /\\x.example is no address`],
    [`${whole},\n selected={yes}}`, `${FILE}:5: a: selected is true or false, not yes`],
    [`${whole},\n title={C}}`, `${FILE}:3: a: title is there twice`],
    [`${whole}}\n${whole.replace('{a,', '{A,')}}`, `${FILE}:5: A: the key is that of line 1 too`],
    ['@article{author={A}, title={B}, year=2020}', `${FILE}:1: the entry has no key`],
    [`${whole},\n preprint-of={b}}`, `${FILE}:5: a: preprint-of: there is no entry b`],
    [`${whole},\n preprint-of={a}}`, `${FILE}:5: a: preprint-of: a is a preprint itself`],
  ])('PUB-20 %j is told by file, line and key', (source, line) => {
    expect(message(source)).toContain(line);
  });

  test.each([
    ['@'.repeat(101), 'more than 100 @ that begin no entry'],
    ['@a{b}\n'.repeat(2001), 'more than 2000 entries'],
    [`${whole}, note={${'{'.repeat(20)}`, '{ is nested more than 20 deep'],
    [`${whole}, note={${'a,'.repeat(5000)}}}`, 'an entry of more than 10000 characters'],
    ['@string{a = {x}}\n@string{b = a # a}', 'an @string is one text, not several joined by #'],
    [
      `@string{a = {${'x'.repeat(9000)}}}\n${'@article{k, title = a # a # a}\n'.repeat(400)}`,
      'the @strings make more text than a list of papers has',
    ],
  ])('PUB-20 EDIT-1 what would take hours to read is refused before it is read: %.40j', (source, told) => {
    expect(message(source)).toContain(told);
  });

  test('PUB-20 all that is wrong is told at once, in the order of the file, also with CRLF and a BOM', () => {
    const source = '\uFEFF@article{a, title={A}}\n\n@article{b, author={B}, title={B},\n doi={x}}'.replaceAll(
      '\n',
      '\r\n',
    );
    expect(
      message(source)
        .split('\n')
        .map((line) => line.slice(FILE.length + 1)),
    ).toEqual([
      '1: a: author is missing',
      '1: a: year is missing',
      '3: b: year is missing',
      expect.stringMatching(/^4: b: x is no DOI/),
    ]);
  });
});
