import { json, oauth } from '../support/answers.ts';
import type { WireRequest } from '../support/exchange.ts';
import type { Platform } from './platform.ts';

export const base = '/api/v1/partner';

// The requests of the cases, and the response to a valid request.

export const jsonType = { 'content-type': 'application/json' };
export type Fields = Readonly<Record<string, string>>;
export const credentials = ({ clientId, clientSecret }: Platform): Fields => ({
  client_id: clientId,
  client_secret: clientSecret,
  grant_type: 'client_credentials',
  scope: 'USER',
});
export const login = (body: string | Uint8Array, headers: WireRequest['headers'] = jsonType): WireRequest => ({
  method: 'POST',
  target: `${base}/login`,
  headers,
  body,
});
export const loginWith = (change: (fields: Fields) => object) => (platform: Platform) =>
  login(JSON.stringify(change(credentials(platform))));
export const form = { 'content-type': 'application/x-www-form-urlencoded' };
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const rest = { grant_type: 'client_credentials', scope: 'USER' };
export const byForm = (fields: Fields): WireRequest => login(new URLSearchParams(fields).toString(), form);
export const byBasic = (authorization: string | readonly string[]): WireRequest =>
  login(new URLSearchParams(rest).toString(), { ...form, authorization });
const granted = (body: string): boolean =>
  /^\{"token_type":"Bearer","expires_in":2592000,"access_token":"[^"]+"\}$/.test(body);
export const isGranted = { status: 200, body: granted, headers: oauth };

export const get = (path: string, headers: WireRequest['headers'] = {}, method = 'GET'): WireRequest => ({
  method,
  target: base + path,
  headers,
});
export const as =
  (path: string, method = 'GET') =>
  (platform: Platform) =>
    get(path, { authorization: `Bearer ${platform.token}` }, method);
export const me = (id: string) => as(`/organisations/${id}/me`);
export const account = (id: string, name: string, status = 'active') => ({
  status: 200,
  body: JSON.stringify({ id, name, status, environment: 'prod' }),
  headers: json,
});
export const mainAccount = account('org_main', 'Gîte des Érables 🏡');
export const plain = { 'content-type': 'text/plain' };
