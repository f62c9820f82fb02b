import type { PartnerkitPortalElement, PartnerkitPortalProps } from '@partnerkit/portal/element';
import type * as React from 'react';
import { describe, expectTypeOf, it } from 'vitest';

// As the guide writes it.
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'partnerkit-portal': PartnerkitPortalProps & React.RefAttributes<PartnerkitPortalElement>;
    }
  }
}

describe('the element in TypeScript', () => {
  it('is known by its tag', () => {
    const made = document.createElement('partnerkit-portal');
    expectTypeOf(made).toEqualTypeOf<PartnerkitPortalElement>();
    expectTypeOf(made.baseUrl).toEqualTypeOf<string>();
    expectTypeOf(document.querySelector('partnerkit-portal')).toEqualTypeOf<PartnerkitPortalElement | null>();
  });

  it('dispatches events with typed details, which reach the document and the window', () => {
    const made = document.createElement('partnerkit-portal');
    document.addEventListener('partnerkit:key-added', ({ detail }) => {
      expectTypeOf(detail).toEqualTypeOf<{ readonly keyId: string }>();
    });
    made.addEventListener('partnerkit:endpoint-changed', ({ detail }) => {
      expectTypeOf(detail.change).toEqualTypeOf<string>();
      // @ts-expect-error: a secret is in no event.
      detail.secret;
    });
    addEventListener('partnerkit:navigate', ({ detail }) => {
      expectTypeOf(detail.screen).toEqualTypeOf<
        'home' | 'requests' | 'webhooks' | 'deliveries' | 'events' | 'keys' | 'audit' | 'verify'
      >();
    });
  });

  it('is an element of JSX with its attributes', () => {
    type Props = React.JSX.IntrinsicElements['partnerkit-portal'];
    expectTypeOf<{ 'base-url': '/partner-portal/api'; theme: 'dark'; lang: 'fr' }>().toExtend<Props>();
    expectTypeOf<{ lang: 'fr' }>().not.toExtend<Props>();
    expectTypeOf<{ 'base-url': '/api'; theme: 'blue' }>().not.toExtend<Props>();
    expectTypeOf<Props['ref']>().toEqualTypeOf<React.Ref<PartnerkitPortalElement> | undefined>();
  });
});
