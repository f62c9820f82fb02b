// In the browser: draws the diagrams of a page, and anew when its theme changes.
const diagrams = [...document.querySelectorAll('pre.mermaid')].map((node) => ({ node, text: node.textContent }));
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

const draw = () => {
  const { theme } = document.documentElement.dataset;
  const dark = theme === 'dark' || (theme !== 'light' && prefersDark.matches);
  mermaid.initialize({ startOnLoad: false, theme: dark ? 'dark' : 'neutral' });
  for (const { node, text } of diagrams) {
    node.removeAttribute('data-processed');
    node.textContent = text;
  }
  return mermaid.run({ nodes: diagrams.map(({ node }) => node) });
};

new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ['data-theme'] });
prefersDark.addEventListener('change', draw);
draw();
