import { css } from 'lit';

/**
 * The theme of a host: colours, font, corners, density, logo and name by custom properties, the rest by parts. Without
 * a theme, the element has the background of the page, and is light or dark as the page is (CSS `color-scheme`).
 * @internal
 */
export const theme = css`
  :host {
    --accent: var(--partnerkit-accent, light-dark(#1d4ed8, #8ab4ff));
    --on-accent: var(--partnerkit-on-accent, light-dark(#fff, #0b1220));
    --surface: var(--partnerkit-surface, light-dark(#fff, #181c22));
    --sunken: var(--partnerkit-sunken, light-dark(#f3f4f6, #12161b));
    --text: var(--partnerkit-text, light-dark(#1c2128, #e6e9ee));
    --muted: var(--partnerkit-muted, light-dark(#57606a, #a3adba));
    --border: var(--partnerkit-border, light-dark(#dfe3e8, #2d343e));
    --control: var(--partnerkit-control, light-dark(#818b98, #6b7584));
    --good: var(--partnerkit-good, light-dark(#116329, #7ee2a0));
    --bad: var(--partnerkit-bad, light-dark(#a40e26, #ff9a9a));
    --warning: var(--partnerkit-warning, light-dark(#7a4100, #ffcf70));
    --radius: var(--partnerkit-radius, 10px);
    --space: calc(var(--partnerkit-density, 1) * 1rem);
    --mono: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
    display: block;
    color: var(--text);
    background: var(--partnerkit-background, transparent);
    font: var(--partnerkit-font, 0.9375rem / 1.5 system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme]) {
    background: var(--partnerkit-background, light-dark(#f6f7f9, #0f1216));
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  *,
  ::before {
    box-sizing: border-box;
  }
  .portal {
    container-type: inline-size;
    min-height: 24rem;
  }
  .hidden:not(:focus) {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  h2,
  h3,
  h4,
  p,
  dl,
  dd,
  ul,
  ol,
  pre,
  figure {
    margin: 0;
  }
  h2 {
    font-size: 1.375rem;
    line-height: 1.3;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }
  h2:focus {
    outline: none;
  }
  h3,
  h4 {
    font-size: 1rem;
    overflow-wrap: anywhere;
  }
  h4 {
    font-size: 0.9375rem;
  }
  a {
    color: var(--accent);
    overflow-wrap: anywhere;
  }
  .navigation a,
  .choices a,
  a.button,
  a.chip {
    text-decoration: none;
  }
`;
