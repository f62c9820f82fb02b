// In the browser: draws the diagrams of a page, and anew when its theme changes.
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

const draw = async () => {
  const nodes = diagrams();
  if (nodes.length === 0) return;
  loaded ??= load();
  await loaded;
  const theme = page().classList.contains('dark') ? 'dark' : 'neutral';
  const sequence = { width: 110, height: 44, actorMargin: 40, mirrorActors: false };
  mermaid.initialize({ startOnLoad: false, theme, fontFamily: 'inherit', sequence });
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
