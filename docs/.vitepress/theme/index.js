import { onContentUpdated } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { CopyPage } from './copy-page.js';
import { drawDiagrams } from './diagrams.js';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, undefined, { 'doc-before': () => h(CopyPage) }),
  setup: () => onContentUpdated(drawDiagrams),
};
