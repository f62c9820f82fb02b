import { PartnerkitPortal } from './portal-element.ts';

// A page that loads the module twice keeps the first definition.
if (!customElements.get('partnerkit-portal')) customElements.define('partnerkit-portal', PartnerkitPortal);
