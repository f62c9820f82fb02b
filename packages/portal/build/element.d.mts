/**
 * The attributes of `<partnerkit-portal>`, as properties of JSX.
 * @public
 */
export interface PartnerkitPortalProps {
  /** Path of the management API. */
  'base-url': string;
  /** Language tag. @defaultValue that of the browser */
  lang?: string | undefined;
  /** Messages of a further language, as JSON. @defaultValue none */
  messages?: string | undefined;
  /** Where a person logs in whose session has ended. @defaultValue none: a button tries again */
  'login-url'?: string | undefined;
  /** `none`: the URL of the page stays. @defaultValue `hash`: the screen is the hash of the page's URL */
  routing?: 'hash' | 'none' | undefined;
  /** URL of the partner API, for the examples that a partner copies. @defaultValue `/api/v1/partner` of the page's origin */
  'api-url'?: string | undefined;
  /** @defaultValue that of the page, by its CSS property `color-scheme` */
  theme?: 'light' | 'dark' | undefined;
}

/**
 * The details of the events that `<partnerkit-portal>` dispatches, by name. They bubble to the page.
 * @public
 */
export interface PartnerkitPortalEvents {
  'partnerkit:key-added': { readonly keyId: string };
  'partnerkit:key-changed': { readonly keyId: string; readonly change: string };
  'partnerkit:endpoint-created': { readonly endpointId: string };
  'partnerkit:endpoint-changed': { readonly endpointId: string; readonly change: string };
  'partnerkit:endpoint-deleted': { readonly endpointId: string };
  'partnerkit:session-ended': Readonly<Record<string, never>>;
  'partnerkit:navigate': {
    readonly screen: 'home' | 'requests' | 'webhooks' | 'deliveries' | 'events' | 'keys' | 'audit' | 'verify';
    /** An endpoint, `new`, a delivery, or an object of requests. */
    readonly id?: string;
    /** The form of the endpoint. */
    readonly isEditing?: boolean;
    readonly filter?: Readonly<Record<string, string>>;
  };
}

/**
 * `<partnerkit-portal>`: API keys, webhooks and deliveries of the account whose session the page has.
 * @public
 */
export interface PartnerkitPortalElement extends HTMLElement {
  /** The attribute `base-url`. */
  baseUrl: string;
  /** The attribute `api-url`. */
  apiUrl: string | undefined;
  /** The attribute `login-url`. */
  loginUrl: string | undefined;
  /** The attribute `messages`, as an object. */
  messages: Readonly<Record<string, string>> | undefined;
  /** The attribute `routing`. */
  routing: string | undefined;
}

type EventsByName = {
  [K in keyof PartnerkitPortalEvents]: Event & { readonly detail: PartnerkitPortalEvents[K] };
};

declare global {
  // A program without the types of the DOM has at least these names.
  interface Event {}
  interface HTMLElement {}
  interface HTMLElementTagNameMap {
    'partnerkit-portal': PartnerkitPortalElement;
  }
  interface GlobalEventHandlersEventMap extends EventsByName {}
}
