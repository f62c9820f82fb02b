import { onContentUpdated } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { CopyPage } from './copy-page.js';
import { drawDiagrams } from './diagrams.js';
import { PortalPicture } from './portal-picture.js';
import { ProofFigures } from './proof-figures.js';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, undefined, {
      'doc-before': () => h(CopyPage),
      'home-hero-image': () => h(PortalPicture),
    }),
  enhanceApp: ({ app }) => app.component('ProofFigures', ProofFigures),
  setup: () => onContentUpdated(drawDiagrams),
};
