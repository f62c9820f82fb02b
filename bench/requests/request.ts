/** A request as it is written to a socket. */
export const requestOf = (method: string, path: string, token: string, body?: object): string => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const entity =
    body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`];
  const head = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', `authorization: Bearer ${token}`, ...entity];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
};
