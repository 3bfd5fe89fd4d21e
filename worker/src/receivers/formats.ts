import type { WebKind } from '#contract/receivers';
import type { Message } from './message.ts';

type Format = {
  /** Beside `content-type: application/json`. */
  headers?: Record<string, string>;
  body: (message: Message, address: URL) => object;
};

/** What a chat shows, its link on the last line. */
export const plainText = ({ lines, link }: Message) =>
  [...lines, ...(link === undefined ? [] : [link])].join('\n');

/** The tokens --accent and --danger of the site. */
const OVER = '#12684c';
const TROUBLE = '#a3282c';

/** How each service wants a message. */
export const formats: Record<WebKind, Format> = {
  /** And whoever takes the same: Google Chat, Mattermost. Google Chat refuses more than the text. */
  slack: { body: (message) => ({ text: plainText(message) }) },
  discord: {
    body: (message) => ({
      // Discord takes 2,000 characters.
      content: plainText(message).slice(0, 2000),
      allowed_mentions: { parse: [] },
      // SUPPRESS_EMBEDS: no preview of the link.
      flags: 4,
    }),
  },
  jandi: {
    headers: { accept: 'application/vnd.tosslab.jandi-v2+json' },
    body: ({ title, lines, link, isOver }) => ({
      body: link === undefined ? title : `[${title}](${link})`,
      connectColor: isOver ? OVER : TROUBLE,
      connectInfo: [{ title: '알림 내용', description: lines.join('\n') }],
    }),
  },
  telegram: {
    body: (message, address) => ({
      chat_id: address.searchParams.get('chat_id'),
      text: plainText(message).slice(0, 4096),
      link_preview_options: { is_disabled: true },
    }),
  },
  json: {
    body: (message) => ({
      text: plainText(message),
      title: message.title,
      link: message.link ?? null,
      news: message.news,
    }),
  },
};
