import { withBase } from 'vitepress';
import { defineComponent, h } from 'vue';
import light from '../../guides/pictures/portal-home-failing.png';
import dark from '../../guides/pictures/portal-home-failing-dark.png';

const alt = 'The web interface for partners: which webhook fails, why, and the button that tries again';

/** The portal in the colours of the page, beside the title of the landing page. */
export const PortalPicture = defineComponent(
  () => () =>
    h('a', { class: 'portal-picture', href: withBase('/guides/portal.html') }, [
      h('img', { class: 'light-only', src: light, alt, width: 1200, height: 1012 }),
      h('img', { class: 'dark-only', src: dark, alt, width: 1200, height: 1012 }),
    ]),
);
