import { onContentUpdated } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { drawDiagrams } from './diagrams.js';
import './style.css';

export default {
  extends: DefaultTheme,
  setup: () => onContentUpdated(drawDiagrams),
};
