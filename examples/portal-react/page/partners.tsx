import '@partnerkit/portal/element';
import type { PartnerkitPortalElement, PartnerkitPortalEvents } from '@partnerkit/portal/element';
import { useEffect, useRef } from 'react';

type KeyAdded = PartnerkitPortalEvents['partnerkit:key-added'];

export interface PartnersProps {
  /** Language tag. */
  readonly language: string;
  readonly onKeyAdded: (key: KeyAdded) => void;
}

/** API keys, webhooks and deliveries of the account of the session. */
export const Partners = ({ language, onKeyAdded }: PartnersProps) => {
  const portal = useRef<PartnerkitPortalElement>(null);
  useEffect(() => {
    const heard = new AbortController();
    portal.current?.addEventListener('partnerkit:key-added', ({ detail }) => onKeyAdded(detail), {
      signal: heard.signal,
    });
    return () => heard.abort();
  }, [onKeyAdded]);
  return <partnerkit-portal ref={portal} base-url="/partner-management" login-url="/log-in" lang={language} />;
};
