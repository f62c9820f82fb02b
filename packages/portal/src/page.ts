import { createHash } from 'node:crypto';
import type { HttpHeaders } from '@partnerkit/core';
import type { PortalOptions } from './portal-options.ts';

/** What a page is made of. */
export type PageInput = {
  readonly [K in 'title' | 'loginUrl' | 'apiUrl' | 'frameAncestors' | 'messages']: PortalOptions[K] | undefined;
} & {
  /** Path of the folder of the element's modules. */
  readonly folder: string;
  readonly apiPath: string;
};

const style = `:root{color-scheme:light dark;background:light-dark(#f6f7f9,#0f1216)}
body{margin:0;font-family:system-ui,sans-serif}
main{max-width:74rem;margin:0 auto;padding:1rem;color:light-dark(#1c2128,#e6e9ee)}
h1{font-size:.875rem;font-weight:500;margin:0 0 .25rem;color:light-dark(#57606a,#9aa4b2)}
.wait{color:light-dark(#57606a,#9aa4b2);padding:1rem}`;
const styleHash = createHash('sha256').update(style).digest('base64');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const english = { title: 'API keys and webhooks', waiting: 'Loading…' };
const texts: Readonly<Record<string, typeof english>> = {
  en: english,
  de: { title: 'API-Schlüssel und Webhooks', waiting: 'Wird geladen …' },
  es: { title: 'Claves de API y webhooks', waiting: 'Cargando…' },
  fr: { title: 'Clés d’API et webhooks', waiting: 'Chargement…' },
  it: { title: 'Chiavi API e webhook', waiting: 'Caricamento…' },
  nl: { title: 'API-sleutels en webhooks', waiting: 'Laden…' },
};
const builtIn = Object.keys(texts);

/** The language of `Accept-Language` (RFC 9110 §12.5.4) that the page has. */
const languageOf = (header: unknown, known: readonly string[]): string => {
  if (typeof header !== 'string') return 'en';
  const wanted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';');
    const quality = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find((each) => each !== undefined);
    return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
  });
  const found = wanted
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => known.find((each) => tag === each.toLowerCase() || tag.startsWith(`${each.toLowerCase()}-`)));
  return found.find((each) => each !== undefined) ?? 'en';
};

/** @throws TypeError for an origin that a header cannot hold. */
const frameSources = (frameAncestors: readonly string[]): string => {
  for (const source of frameAncestors)
    if (source !== "'self'" && !/^https?:\/\/[a-z0-9.*-]+(:\d+)?$/i.test(source))
      throw new TypeError(`portalRoutes: frameAncestors: "${source}" is no origin such as https://app.example.com.`);
  return frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ');
};

/** @throws TypeError for a URL that a page cannot lead to. */
const assertUrl = (name: string, url: string | undefined): void => {
  if (url === undefined) return;
  const { protocol } = new URL(url, 'https://page.invalid');
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`portalRoutes: ${name} must be a path or an HTTP URL.`);
};

/** Creates the page, for the language of a request. */
export const createPage = ({
  title: ownTitle,
  loginUrl,
  apiUrl,
  frameAncestors = [],
  messages = {},
  folder,
  apiPath,
}: PageInput) => {
  assertUrl('loginUrl', loginUrl);
  assertUrl('apiUrl', apiUrl);
  const known = [...builtIn, ...Object.keys(messages).filter((tag) => !builtIn.includes(tag))];
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-language',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'sha256-${styleHash}'`,
      "connect-src 'self'",
      // The empty icon: browsers would ask the host for one.
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
      `frame-ancestors ${frameSources(frameAncestors)}`,
    ].join('; '),
  };
  const attributes = (language: string): string => {
    const own = messages[language];
    const values = {
      'base-url': apiPath,
      lang: language,
      ...(loginUrl === undefined ? {} : { 'login-url': loginUrl }),
      ...(apiUrl === undefined ? {} : { 'api-url': apiUrl }),
      ...(own ? { messages: JSON.stringify(own) } : {}),
    };
    return Object.entries(values)
      .map(([name, value]) => ` ${name}="${escaped(value)}"`)
      .join('');
  };
  const write = (language: string): string => {
    const { title, waiting } = {
      ...(texts[language] ?? english),
      ...(ownTitle === undefined ? {} : { title: ownTitle }),
    };
    // The language is needed before anything is shown.
    const [base = ''] = language.toLowerCase().split('-');
    const preload =
      base !== 'en' && builtIn.includes(base)
        ? `\n<link rel="modulepreload" href="${escaped(`${folder}/${base}.js`)}">`
        : '';
    return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>${preload}
<script type="module" src="${escaped(`${folder}/portal.js`)}"></script>
</head>
<body>
<main><h1>${escaped(title)}</h1>
<partnerkit-portal${attributes(language)}><p class="wait">${waiting}</p></partnerkit-portal>
<noscript><p>This page needs JavaScript.</p></noscript></main>
</body>
</html>
`;
  };
  const pages = new Map(known.map((language) => [language, write(language)]));

  return (request: HttpHeaders) => ({
    headers,
    body: pages.get(languageOf(request['accept-language'], known)) ?? write('en'),
  });
};
