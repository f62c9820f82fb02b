import type { PartnerkitPortalElement, PartnerkitPortalProps } from '@partnerkit/portal/element';
import type * as React from 'react';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'partnerkit-portal': PartnerkitPortalProps & React.RefAttributes<PartnerkitPortalElement>;
    }
  }
}
