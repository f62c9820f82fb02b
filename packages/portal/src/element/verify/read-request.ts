/** A request to check. */
export interface CheckedRequest {
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request as text: headers, an empty line, the body. `undefined`: no header is about a signature. */
export const readRequest = (text: string): CheckedRequest | undefined => {
  const request = text.trimStart();
  const gap = /\n\r?\n/.exec(request);
  if (!gap) return undefined;
  const [head, body] = [request.slice(0, gap.index), request.slice(gap.index + gap[0].length)];
  const headers = head.split(/\r?\n/).flatMap((line) => {
    const [, name = '', value = ''] = /^([\w-]+)\s*:(.*)$/.exec(line.trim()) ?? [];
    return name === '' ? [] : [[name.toLowerCase(), value.trim()] as const];
  });
  if (!headers.some(([name]) => name.includes('signature'))) return undefined;
  return { headers: Object.fromEntries(headers), body };
};
