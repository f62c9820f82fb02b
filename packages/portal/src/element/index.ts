import { PartnerkitPortal } from './portal-element.ts';

// Absent on a server that renders pages. A page that loads the module twice keeps the first definition.
const { customElements: registry } = globalThis as { customElements?: CustomElementRegistry };
if (registry && !registry.get('partnerkit-portal')) registry.define('partnerkit-portal', PartnerkitPortal);
