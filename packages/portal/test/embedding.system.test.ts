import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
import { bundle as element } from '#bundle';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { startPlatform } from './support/platform.ts';
import { addKey, button, goTo, link } from './support/walk.ts';

afterAll(closeBrowser);

const guide = readFileSync(new URL('../../../docs/guides/portal.md', import.meta.url), 'utf8');
const folder = fileURLToPath(new URL('.', import.meta.url));

/** The code of the guide in a language. */
const codeOf = (language: string): string => {
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide) ?? [];
  if (code === undefined) throw new Error(`The guide has no ${language}.`);
  return code;
};

/** Bundles a module as a host does. `guide` is the code of the guide. */
const bundle = async (module: string, code: string, loader: 'jsx' | 'js'): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: module, resolveDir: folder, loader: 'jsx' },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' },
    plugins: [
      {
        name: 'guide',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^guide$/ }, () => ({ path: 'guide', namespace: 'guide' }));
          onLoad({ filter: /.*/, namespace: 'guide' }, () => ({ contents: code, loader, resolveDir: folder }));
          // As it is shipped.
          onResolve({ filter: /^@partnerkit\/portal\/element$/ }, () => ({ path: 'element', namespace: 'element' }));
          onResolve({ filter: /^\./, namespace: 'element' }, ({ path }) => ({ path, namespace: 'element' }));
          onLoad({ filter: /.*/, namespace: 'element' }, ({ path }) => ({
            contents: element[path === 'element' ? 'portal.js' : path.slice(2)] ?? '',
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
};

const react = (): Promise<string> =>
  bundle(
    `import { createRoot } from 'react-dom/client';
     import { Partners } from 'guide';
     createRoot(document.querySelector('#root')).render(
       <Partners language="fr" onKeyAdded={({ detail }) => { document.title = detail.keyId; }} />);`,
    codeOf('jsx'),
    'jsx',
  );

const vue = (): Promise<string> => {
  const { descriptor } = parse(codeOf('vue'));
  const { content } = compileScript(descriptor, {
    id: 'guide',
    inlineTemplate: true,
    templateOptions: { compilerOptions: { isCustomElement: (tag) => tag.includes('-') } },
  });
  return bundle(
    `import { createApp } from 'vue';
     import Partners from 'guide';
     createApp(Partners, { language: 'fr', onKeyAdded: (id) => { document.title = id; } }).mount('#root');`,
    content,
    'js',
  );
};

const ofScript = '<div id="root"></div><script type="module" src="/host-page.js"></script>';
const pages: readonly (readonly [name: string, body: string, write?: () => Promise<string>])[] = [
  ['plain HTML', codeOf('html').replace('lang="en"', 'lang="fr"')],
  ['a server-rendered page', codeOf('ejs').replace('<%= user.language %>', 'fr')],
  ['React', ofScript, react],
  ['Vue', ofScript, vue],
];
const head = '<!doctype html><meta charset="utf-8"><title>Host</title>';

describe.skipIf(!hasBrowser)('the guide "Embed the portal"', () => {
  it.for(pages)('%s shows the portal, in the language of the page, and hears its events', async ([, body, write]) => {
    const script = await write?.();
    const html = `${head}${body}`;
    const platform = await startPlatform({ page: { html, ...(script === undefined ? {} : { script }) } });
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(`${platform.baseUrl}/host-page`);
    await page.getByRole('heading', { name: 'Premiers pas' }).waitFor();
    await button(page, 'Ajouter une clé d’API').click();
    await page.getByLabel('Nom', { exact: true }).fill('Caisse');
    await button(page, 'Ajouter la clé').click();
    await page.getByLabel('Je l’ai conservé').check();
    await button(page, 'Terminé').click();
    const [key] = (await platform.kit.clients.list(platform.accountId))._unsafeUnwrap().items;
    if (write) expect(await page.title()).toBe(key?.id);
    // The languages and the screens are loaded when they are needed, from wherever the host has put them.
    await goTo(page, 'Clés d’API', 'Portail partenaire');
    await page.getByRole('heading', { name: 'Caisse' }).waitFor();
    expect(page.url()).toBe(`${platform.baseUrl}/host-page#/keys`);
  });

  it('keeps working when the page moves the element', async () => {
    const platform = await startPlatform({ page: { html: `${head}${codeOf('html')}` } });
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(`${platform.baseUrl}/host-page`);
    await addKey(page, 'Till');
    await goTo(page, 'API keys');
    await page.evaluate(`(() => {
      const place = document.createElement('section');
      document.body.append(place);
      place.append(document.querySelector('partnerkit-portal'));
    })()`);
    await page.getByRole('heading', { name: 'Till' }).waitFor();
    await addKey(page, 'Booking system');
  });

  it('leaves the address of the page alone when the page says so', async () => {
    const html = `${head}${codeOf('html').replace('lang="en"', 'lang="en" routing="none"')}`;
    const platform = await startPlatform({ page: { html } });
    const { page } = await openPage(platform.baseUrl, platform.session('owner'));
    await page.goto(`${platform.baseUrl}/host-page#section-of-the-host`);
    await goTo(page, 'Webhooks');
    await link(page, 'Add a webhook').click();
    await page.getByRole('heading', { name: 'Add a webhook' }).waitFor();
    expect(page.url()).toBe(`${platform.baseUrl}/host-page#section-of-the-host`);
  });
});
