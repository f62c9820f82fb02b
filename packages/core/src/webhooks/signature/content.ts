/**
 * A part of what a signature covers: the id of the event, the time of the attempt since 1970, the exact body, the URL
 * of the endpoint as it was registered, or a fixed text.
 * @public
 */
export type ContentPart = 'id' | 'timestamp' | 'body' | 'url' | { readonly text: string };

/** A part of what a signature begins with: the time of the attempt since 1970, or a fixed text. @public */
export type PrefixPart = 'timestamp' | { readonly text: string };

const isText = (part: unknown): part is { readonly text: string } =>
  typeof part === 'object' && part !== null && 'text' in part && /^[\x20-\x7e]+$/.test(String(part.text));

/** No character of an id or a timestamp, so it ends one. */
const ends = (text: string | undefined): boolean => text !== undefined && !/[A-Za-z0-9_-]/.test(text);

/**
 * Whether a part of changing length is followed, up to the body, or preceded, after the body, by a text that ends it:
 * otherwise one signature would fit two requests, whose bytes move from a part to its neighbour.
 */
const isDelimited = (content: readonly ContentPart[], place: number, body: number): boolean => {
  const neighbour = content[place < body ? place + 1 : place - 1];
  if (!isText(neighbour)) return false;
  return ends(place < body ? neighbour.text[0] : neighbour.text.at(-1));
};

/** The rule that a content breaks; `undefined`: none. */
export const contentProblem = (content: readonly ContentPart[]): string | undefined => {
  const names: readonly unknown[] = ['id', 'timestamp', 'body', 'url'];
  if (!Array.isArray(content) || !content.every((part) => isText(part) || names.includes(part)))
    return "content is a list of 'id', 'timestamp', 'body', 'url' and { text: '…' } of visible ASCII.";
  const body = content.indexOf('body');
  if (content.filter((part) => part === 'body').length !== 1) return "content contains 'body' once.";
  for (const [place, part] of content.entries()) {
    if (part !== 'id' && part !== 'timestamp') continue;
    if (content.indexOf(part) !== place) return `content contains '${part}' twice.`;
    if (!isDelimited(content, place, body))
      return `content needs a text such as { text: '.' } between '${part}' and its neighbour towards 'body'.`;
  }
  return undefined;
};

/** The parts that differ from message to message. */
interface Known {
  readonly id: string;
  readonly timestamp: string;
  readonly url: string;
}

/** The texts before and after the body. */
export const contentAround = (
  content: readonly ContentPart[],
): ((known: Known) => readonly [before: string, after: string]) => {
  const body = content.indexOf('body');
  const join = (parts: readonly ContentPart[], known: Known): string =>
    parts.map((part) => (typeof part === 'object' ? part.text : part === 'body' ? '' : known[part])).join('');
  const [before, after] = [content.slice(0, body), content.slice(body + 1)];
  return (known) => [join(before, known), join(after, known)];
};

/** The rule that a prefix breaks; `undefined`: none. */
export const prefixProblem = (prefix: readonly PrefixPart[]): string | undefined => {
  if (!Array.isArray(prefix) || !prefix.every((part) => isText(part) || part === 'timestamp'))
    return "prefix is a text of visible ASCII, or a list of 'timestamp' and { text: '…' }.";
  const place = prefix.indexOf('timestamp');
  if (place < 0) return undefined;
  const next = prefix[place + 1];
  return prefix.lastIndexOf('timestamp') === place && isText(next) && ends(next.text[0])
    ? undefined
    : "prefix contains 'timestamp' once, with a text such as { text: ',v1=' } behind it.";
};

export const writePrefix = (prefix: readonly PrefixPart[], timestamp: string): string =>
  prefix.map((part) => (part === 'timestamp' ? timestamp : part.text)).join('');

/** The timestamp in a signature and what follows the prefix; `undefined` when it does not begin so. */
export const readPrefix = (
  prefix: readonly PrefixPart[],
  value: string,
): { readonly timestamp?: string; readonly rest: string } | undefined => {
  let rest = value;
  let timestamp: string | undefined;
  for (const part of prefix) {
    const found = part === 'timestamp' ? (/^\d{1,15}/.exec(rest)?.[0] ?? '') : part.text;
    if (found === '' || !rest.startsWith(found)) return undefined;
    if (part === 'timestamp') timestamp = found;
    rest = rest.slice(found.length);
  }
  return timestamp === undefined ? { rest } : { timestamp, rest };
};
