import { type RequestHead, singleHeader } from '../../base/http/route.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/**
 * Whether a page of another origin may have sent a state-changing request. Browsers send `Sec-Fetch-Site`; without it,
 * `Origin` must name the host of the request. A request with neither header does not come from a browser.
 */
export const isCrossSite = (
  { method, headers }: Pick<RequestHead, 'method' | 'headers'>,
  trustedOrigins: readonly string[],
): boolean => {
  if (safeMethods.has(method)) return false;
  const origin = singleHeader(headers, 'origin');
  if (origin !== undefined && trustedOrigins.includes(origin)) return false;
  if (headers['sec-fetch-site'] !== undefined) {
    const site = singleHeader(headers, 'sec-fetch-site');
    return site !== 'same-origin' && site !== 'none';
  }
  if (headers['origin'] === undefined) return false;
  const host = singleHeader(headers, 'host');
  return origin === undefined || host === undefined || hostOf(origin) !== host.toLowerCase();
};
