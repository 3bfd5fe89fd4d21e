/** The part of saxen that is used; it brings no types. */
declare module 'saxen' {
  export class Parser {
    on(event: 'openTag', hook: (name: string, attributes: () => Record<string, string>) => void): this;
    on(event: 'closeTag' | 'text' | 'cdata', hook: (text: string) => void): this;
    parse(xml: string): this;
  }
}
