/* The named characters of HTML 4 in runs: each run has the first character's code, and names in order. */

const RUNS: readonly (readonly [number, string])[] = [
  [
    0xa0,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn ' +
      'sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave ' +
      'Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
      'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN ' +
      'szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute ' +
      'icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml ' +
      'yacute thorn yuml',
  ],
  [0x391, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho'],
  [0x3a3, 'Sigma Tau Upsilon Phi Chi Psi Omega'],
  [
    0x3b1,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf ' +
      'sigma tau upsilon phi chi psi omega',
  ],
  [0x200c, 'zwnj zwj lrm rlm'],
  [0x2190, 'larr uarr rarr darr harr'],
  [0x21d0, 'lArr uArr rArr dArr hArr'],
  [0x2227, 'and or cap cup int'],
  [0x2308, 'lceil rceil lfloor rfloor'],
];
/** Named characters outside of the runs, with their codes in hexadecimal. */
const OTHERS =
  'quot 22 amp 26 lt 3c gt 3e OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 fnof 192 circ 2c6 ' +
  'tilde 2dc thetasym 3d1 upsih 3d2 piv 3d6 ensp 2002 emsp 2003 thinsp 2009 ndash 2013 mdash 2014 ' +
  'lsquo 2018 rsquo 2019 sbquo 201a ldquo 201c rdquo 201d bdquo 201e dagger 2020 Dagger 2021 bull ' +
  '2022 hellip 2026 permil 2030 prime 2032 Prime 2033 lsaquo 2039 rsaquo 203a oline 203e frasl 2044 ' +
  'euro 20ac image 2111 weierp 2118 real 211c trade 2122 alefsym 2135 crarr 21b5 forall 2200 part ' +
  '2202 exist 2203 empty 2205 nabla 2207 isin 2208 notin 2209 ni 220b prod 220f sum 2211 minus 2212 ' +
  'lowast 2217 radic 221a prop 221d infin 221e ang 2220 there4 2234 sim 223c cong 2245 asymp 2248 ' +
  'ne 2260 equiv 2261 le 2264 ge 2265 sub 2282 sup 2283 nsub 2284 sube 2286 supe 2287 oplus 2295 ' +
  'otimes 2297 perp 22a5 sdot 22c5 lang 2329 rang 232a loz 25ca spades 2660 clubs 2663 hearts 2665 ' +
  'diams 2666 apos 27';

/** Characters by their HTML 4 names; names added by HTML 5 are rarely used. */
export const HTML_ENTITIES: ReadonlyMap<string, string> = new Map([
  ...RUNS.flatMap(([first, names]) =>
    names.split(' ').map((name, at) => [name, String.fromCodePoint(first + at)] as const),
  ),
  ...Array.from(
    OTHERS.matchAll(/(\w+) (\w+)/g),
    ([, name = '', code = '']) => [name, String.fromCodePoint(Number.parseInt(code, 16))] as const,
  ),
]);
