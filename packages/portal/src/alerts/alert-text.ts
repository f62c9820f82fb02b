import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { it } from './texts/it.ts';
import { nl } from './texts/nl.ts';

/**
 * An event of operation as a handler receives it, such as `endpoint.failing`.
 * @public
 */
export interface AlertEvent {
  /** The event type. */
  readonly type: string;
  /** The id of the API key, endpoint or account, and what the entry of the audit trail says more. */
  readonly data: { readonly id: string; readonly [field: string]: unknown };
}

/**
 * Options of `alertText`.
 * @public
 */
export interface AlertTextOptions {
  /** A language tag: Dutch, English, French, German, Italian or Spanish. @defaultValue English, also for others */
  readonly language?: string;
  /** URL of the page with the portal; the text links to the screen. @defaultValue none: no link */
  readonly link?: string;
  /** How a person knows an object, such as the label of a webhook. @defaultValue its id */
  readonly nameOf?: (event: AlertEvent) => string | undefined;
}

/**
 * A message for a person.
 * @public
 */
export interface AlertText {
  /** One line without control characters, for the subject of a mail. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The same as HTML: what partners wrote is escaped. */
  readonly html: string;
}

export const languages = { de, en, es, fr, it, nl };

/** The language of a tag, if it has texts. */
const languageOf = (tag: string): keyof typeof languages => {
  const [base = ''] = tag.toLowerCase().split('-');
  return Object.hasOwn(languages, base) ? (base as keyof typeof languages) : 'en';
};

/** Names that one text holds. */
const maxNames = 10;
const maxNameLength = 100;

/** One line: no character that begins a line, a header, or another direction of writing. */
const oneLine = (name: string): string => {
  const line = name.replace(/[\s\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength).join('')}…` : line;
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Values take the place of `{name}`; what a partner wrote is not read again. */
const filled = (phrase: string, values: Readonly<Record<string, string | number>>): string =>
  phrase.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

const countOf = ({ data }: AlertEvent): number => (typeof data['count'] === 'number' ? data['count'] : 1);

/** The values of the last failure of a webhook, if the event says it. */
const lastFailureOf = ({ data }: AlertEvent): Readonly<Record<string, string>> | undefined => {
  const failure = data['lastFailure'];
  if (typeof failure !== 'object' || failure === null) return undefined;
  const { objectName, type, eventId, outcome } = failure as Readonly<Record<string, unknown>>;
  const code = typeof outcome === 'number' ? `HTTP ${outcome}` : String(outcome);
  return { event: oneLine(`${objectName}.${type}`), id: oneLine(String(eventId)), outcome: oneLine(code) };
};

/** The screen of the portal on which a person sees more. */
const hashOf = (type: string, ids: readonly string[]): string => {
  if (type.startsWith('key.') || type === 'secret.expires_soon') return '#/keys';
  if (type === 'account.changed') return '#/home';
  if (type === 'due_command.refused') return '#/requests';
  const [id] = ids;
  const isWebhook = id !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  return ids.length === 1 && isWebhook ? `#/webhooks/${id}` : '#/webhooks';
};

/** What is told of the events of one type. */
interface Paragraph {
  readonly title: string;
  readonly lines: readonly string[];
  readonly link: string | undefined;
}

/**
 * Makes one message of events of operation of an account: for a mail, or a chat. Collect what happens within a minute,
 * so that 50 webhooks that fail together make one message.
 *
 * @param events - What a handler received, of one account. Types that nobody needs to read are left out.
 * @returns `undefined` when no event is for a person.
 * @example
 * const failing = { type: 'endpoint.failing', data: { id: 'endpoint_1' } };
 * const message = alertText([failing], { language: 'fr', nameOf: () => 'Booking system' });
 * if (message) show(message.subject, message.text);
 * @public
 */
export const alertText = (
  events: readonly AlertEvent[],
  { language = 'en', link, nameOf = () => undefined }: AlertTextOptions = {},
): AlertText | undefined => {
  const spoken = languageOf(language);
  const texts = languages[spoken];
  const days = new Intl.RelativeTimeFormat(spoken);
  const when = (left: unknown): string => (typeof left === 'number' ? days.format(left, 'day') : texts.soon);

  const paragraphs = Object.entries(texts.types).flatMap(([type, [one, several, advice]]): Paragraph[] => {
    const found = events.filter((event) => event.type === type);
    const byId = new Map(found.map((event) => [event.data.id, event]));
    const [first] = byId.values();
    if (!first) return [];
    const name = (event: AlertEvent): string => oneLine(nameOf(event) ?? event.data.id);
    const total = found.reduce((sum, event) => sum + countOf(event), 0);
    const values = { name: name(first), count: byId.size, total, when: when(first.data['days']) };
    const title = filled(byId.size === 1 ? one : several, values);
    const named = byId.size === 1 ? [] : [...byId.values()].slice(0, maxNames).map((event) => `- ${name(event)}`);
    const failure = byId.size === 1 ? lastFailureOf(found.at(-1) ?? first) : undefined;
    const last = failure ? [filled(texts.lastFailure, failure)] : [];
    const left = byId.size - maxNames;
    const rest = left > 0 ? [`- ${filled(texts.more, { count: left })}`] : [];
    return [
      {
        title,
        lines: [title, ...named, ...rest, ...last, ...(advice === '' ? [] : [advice])],
        link: link === undefined ? undefined : `${link}${hashOf(type, [...byId.keys()])}`,
      },
    ];
  });

  const [worst] = paragraphs;
  if (!worst) return undefined;
  const others = paragraphs.length - 1;
  const htmlOf = ({ lines, link: to }: Paragraph): string =>
    `<p>${lines.map(escaped).join('<br>')}${to === undefined ? '' : `<br><a href="${escaped(to)}">${escaped(to)}</a>`}</p>`;
  return {
    subject: others === 0 ? worst.title : `${worst.title} (${filled(texts.more, { count: others })})`,
    text: paragraphs
      .map(({ lines, link: to }) => [...lines, ...(to === undefined ? [] : [to])].join('\n'))
      .join('\n\n'),
    html: paragraphs.map(htmlOf).join('\n'),
  };
};
