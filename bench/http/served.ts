import type { JsonWebKey } from 'node:crypto';
import { serve } from '../children.ts';
import { bodyOf } from './load.ts';

/** A server in a separate process, and the requests of its measurement. */
export interface Served {
  readonly port: number;
  readonly login?: string;
  readonly me?: string;
  /** Public keys of its tokens. */
  readonly keys?: readonly JsonWebKey[];
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

/** A key without its private part (RFC 7518 §6.2.2). */
export const publicPart = (key: object): JsonWebKey => {
  const { d: _, ...rest }: JsonWebKey = { ...key };
  return rest;
};

/** The token of a login response. */
export const logIn = async (port: number, login: string): Promise<string> => {
  const answer = await bodyOf(port, login);
  const token = /"access_token": *"([^"]+)"/.exec(answer)?.[1];
  if (token === undefined) throw new Error(`No token: ${answer}`);
  return token;
};

/** The main function of each program in `servers`. */
export const serveHttp = <I>(start: (input: I) => Promise<Served>): void => {
  if (!process.send) return;
  serve<ServedHandlers>(async (input: never) => {
    const served = await start(input);
    return { served: async () => served };
  });
};
