import { serve } from '../postgres/children.ts';
import { bodyOf } from './load.ts';

/** A server in a process of its own, and the requests that it is measured with. */
export interface Served {
  readonly port: number;
  readonly login?: string;
  readonly me?: string;
}

export interface ServedHandlers {
  served(): Promise<Served>;
}

/** A login with these parameters. */
export const postOf = (path: string, type: 'json' | 'form', parameters: Readonly<Record<string, string>>): string => {
  const body = type === 'json' ? JSON.stringify(parameters) : String(new URLSearchParams(parameters));
  const media = type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const head = [`POST ${path} HTTP/1.1`, 'host: 127.0.0.1', `content-type: ${media}`, `content-length: ${body.length}`];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
};

/** A call with a token. */
export const getOf = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;

/** The token that a login is answered with. */
export const logIn = async (port: number, login: string): Promise<string> => {
  const answer = await bodyOf(port, login);
  const token = /"access_token": *"([^"]+)"/.exec(answer)?.[1];
  if (token === undefined) throw new Error(`No token: ${answer}`);
  return token;
};

/** What each program in `servers` does. */
export const serveHttp = <I>(start: (input: I) => Promise<Served>): void => {
  if (!process.send) return;
  serve<ServedHandlers>(async (input: never) => {
    const served = await start(input);
    return { served: async () => served };
  });
};
