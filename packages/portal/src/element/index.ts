import { define } from './parts/portal-part.ts';
import { PartnerkitPortal } from './portal-element.ts';

define('partnerkit-portal', PartnerkitPortal);
