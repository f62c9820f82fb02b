import type { Vector } from './vectors.ts';

/** A text in single quotes, for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A command that sends a vector. */
export const curlOf = ({ headers, body }: Vector, url: string): string =>
  [
    `curl -i ${url} -H 'Content-Type: application/json'`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(body)}`,
  ].join(' \\\n  ');
