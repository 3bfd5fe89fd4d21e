import { describe, expect, test } from 'vitest';
import { plainText } from '#contract/publications';
import { readPublications } from '#content/bibtex/read-publications';

const FILE = 'publications';
const YOON = { ko: '윤서준', en: 'Seojun Yoon' };
const RADIO = { ko: '무선 통신', en: 'Radio' };
const KNOWN = { people: [YOON], topics: [RADIO] };

const read = (source: string) => readPublications(source, KNOWN).papers;
const first = (source: string) => read(source).all[0];
const message = (source: string) =>
  readPublications(source, KNOWN)
    .problems.map(({ path, message }) => `${path}: ${message}`)
    .join('\n');

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

  test('PUB-20 a type that BibTeX does not know is shown as other, and said; what is said twice of a line is said once', () => {
    const typed = readPublications(
      '@artcle{a, author={A B}, title={T}, year={2022}}\n@Misc{b, author={A B}, title={U}, year={2022}}',
    );
    expect(typed.papers.all.map(({ kind }) => kind)).toEqual(['other', 'other']);
    expect([typed.problems, typed.doubts]).toEqual([
      [],
      [{ path: 'publications.1', message: 'a: 모르는 종류입니다: @artcle. 기타로 보입니다' }],
    ]);
    expect(
      message(String.raw`@misc{a, author={A B}, title={\foo T \foo}, year={2022}}`).split('\n'),
    ).toHaveLength(1);
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
      `${FILE}.3: a: “year=2020}” 앞에 쉼표나 }가 없습니다 (1행에서 시작한 항목)`,
    ],
    ['@article{a,\n title={x,\n year=2020}\n\n@article{b,title={y}}', `${FILE}.5: a: `],
    [
      `${whole}, journal=nowhere}`,
      `${FILE}.4: {nowhere}처럼 괄호로 묶지 않은 글이고, 이런 @string도 없습니다`,
    ],
    [`${whole},\n note=}`, `${FILE}.5: = 뒤에 값이 없습니다`],
    [`${whole}}\n\narticle{b,\n title={C}}`, `${FILE}.6: @로 시작하는 항목이 아닙니다`],
    ['% none yet\nKim, A. "One." 2024.', `${FILE}.2: @로 시작하는 항목이 아닙니다`],
    [`${whole},\n note={\\unknown{x}}}`, `${FILE}.5: a: 알 수 없는 LaTeX입니다: \\unknown`],
    ['\n@article{a,\n author={A},\n year=2020}', `${FILE}.2: a: title(제목)이 없습니다`],
    ['@article{a,\n title={A},\n year=2020}', `${FILE}.1: a: author(저자)가 없습니다`],
    ['@article{a,\n author={A},\n title={A}}', `${FILE}.1: a: year(연도)가 없습니다`],
    ['@article{a, author={A}, title={A},\n year={in press}}', `${FILE}.2: a: 연도가 아닙니다: in press`],
    ['@article{a, author={A}, title={A},\n year=20244}', `${FILE}.2: a: 연도가 아닙니다: 20244`],
    [`${whole},\n doi={doi:1.2/x}}`, `${FILE}.5: a: DOI가 아닙니다: doi:1.2/x`],
    [`${whole},\n pdf={javascript:alert(1)}}`, `${FILE}.5: a: pdf: 주소가 아닙니다: javascript:alert(1)`],
    [`${whole},\n code={//x.example}}`, `${FILE}.5: a: code: 주소가 아닙니다: //x.example`],
    [`${whole},\n url={/\\x.example}}`, `${FILE}.5: a: url: 주소가 아닙니다: /\\x.example`],
    [`${whole},\n selected={yes}}`, `${FILE}.5: a: selected에는 true나 false를 씁니다: yes`],
    [`${whole},\n title={C}}`, `${FILE}.3: a: title가 두 번 있습니다`],
    [`${whole}}\n${whole.replace('{a,', '{A,')}}`, `${FILE}.5: A: 1행의 항목과 열쇠가 같습니다`],
    ['@article{author={A}, title={B}, year=2020}', `${FILE}.1: 항목에 열쇠가 없습니다`],
    [`${whole},\n preprint-of={b}}`, `${FILE}.5: a: preprint-of: b 항목이 없습니다`],
    [`${whole},\n preprint-of={a}}`, `${FILE}.5: a: preprint-of: a도 프리프린트입니다`],
  ])('PUB-20 %j is told by file, line and key', (source, line) => {
    expect(message(source)).toContain(line);
  });

  test.each([
    '@article{b,\n title={C\n}',
    '@article{b,\n author={Kim, A}\n title={C}}',
    '@article{b,\n author="Kim, A,\n title="C"}',
    '@article b,\n title={C}}',
    '@article(b,\n title={C}}',
    '@article{b,\n title={C $x}}',
    '@article{b c,\n title={C}}',
    '@article{b,\n title {C}}',
    '@article{b,\n author={Kim, A, B, C, D}}',
    '@article{b,\n author=Kim A}',
    '@article{b,\n title={\\newcommand{}}}',
    '@string{a}',
    '@article{b',
    '@article{b, title = "C',
  ])(
    'PUB-20 EDIT-1 a second entry that cannot be read is told by its line, in Korean alone: %j',
    (source) => {
      const lines = message(`${whole}}\n\n${source}`).split('\n');
      for (const line of lines) {
        const [, at, told = ''] = /\.(\d+): (.*)$/.exec(line) ?? [];
        expect(Number(at)).toBeGreaterThanOrEqual(6);
        const said = told.match(/[a-z@\\]{2,}/gi) ?? [];
        expect(
          said.filter((word) => !source.includes(word) && !/^(LaTeX|@string|author|title|year)$/.test(word)),
        ).toEqual([]);
        expect(told).toMatch(/[가-힣]/);
      }
    },
  );

  test.each([
    ['@'.repeat(101), '항목을 시작하지 않는 @가 100개보다 많습니다'],
    ['@a{b}\n'.repeat(2001), '항목은 2000개까지 쓸 수 있습니다'],
    [`${whole}, note={${'{'.repeat(20)}`, '{가 20겹보다 깊습니다'],
    [`${whole}, note={${'a,'.repeat(5000)}}}`, '항목 하나는 10000자까지 쓸 수 있습니다'],
    ['@string{a = {x}}\n@string{b = a # a}', '@string에는 #으로 잇지 않은 글 하나만 씁니다'],
    [
      `@string{a = {${'x'.repeat(9000)}}}\n${'@article{k, title = a # a # a}\n'.repeat(400)}`,
      '@string을 풀어 쓴 글이 너무 깁니다',
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
      '1: a: author(저자)가 없습니다',
      '1: a: year(연도)가 없습니다',
      '3: b: year(연도)가 없습니다',
      expect.stringMatching(/^4: b: DOI가 아닙니다: x/),
    ]);
  });
});
