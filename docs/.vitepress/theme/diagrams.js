// In the browser: draws the diagrams of a page in the colours of the site, and anew when its theme changes.
import source from '@mermaid-js/tiny?url';

const page = () => document.documentElement;
const diagrams = () => [...document.querySelectorAll('pre.mermaid')];

let loaded;
/** It is a script that sets a global, and no module. */
const load = () =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: source, onload: resolve, onerror: reject });
    document.head.append(script);
  });

/** The colours of the site: custom properties of its theme. */
const colours = () => {
  const style = getComputedStyle(page());
  const [background, soft, text, faint, line, brand] = ['bg', 'bg-soft', 'text-1', 'text-2', 'border', 'brand-1'].map(
    (name) => style.getPropertyValue(`--vp-c-${name}`).trim(),
  );
  return {
    ...{ background, mainBkg: background, primaryColor: background, primaryTextColor: text, primaryBorderColor: line },
    ...{ nodeBorder: line, lineColor: faint, textColor: text, titleColor: faint, edgeLabelBackground: soft },
    ...{ clusterBkg: soft, clusterBorder: line, secondaryColor: soft, tertiaryColor: soft },
    ...{ actorBkg: background, actorBorder: brand, actorTextColor: text, actorLineColor: line },
    ...{ signalColor: faint, signalTextColor: text, noteBkgColor: soft, noteBorderColor: line, noteTextColor: text },
    ...{ transitionColor: faint, transitionLabelColor: text, stateLabelColor: text },
  };
};

const draw = async () => {
  const nodes = diagrams();
  if (nodes.length === 0) return;
  loaded ??= load();
  await loaded;
  const darkMode = page().classList.contains('dark');
  const sequence = { width: 110, height: 44, actorMargin: 40, mirrorActors: false };
  mermaid.initialize({
    ...{ startOnLoad: false, fontFamily: 'inherit', sequence },
    theme: 'base',
    themeVariables: { darkMode, ...colours() },
    themeCSS: '.node.kit > :is(rect, path) { fill: var(--vp-c-brand-soft); stroke: var(--vp-c-brand-1); }',
  });
  for (const node of nodes) {
    node.dataset.source ??= node.textContent;
    node.textContent = node.dataset.source;
    node.removeAttribute('data-processed');
  }
  await mermaid.run({ nodes });
};

let watcher;
export const drawDiagrams = () => {
  watcher ??= new MutationObserver(draw);
  watcher.observe(page(), { attributeFilter: ['class'] });
  return draw();
};
