import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { PartnerkitPortalElement, PartnerkitPortalEvents } from '../../build/element.d.mts';
import { Action } from './action.ts';
import { type Api, type ApiError, createApi, readAll } from './api.ts';
import { createTexts, type Messages, type Texts } from './i18n.ts';
import { hashOf, placeOf } from './place.ts';
import type { Dialog, Endpoint, EventCatalogue, ManagementSession, Place, Portal, Screen } from './portal.ts';
import { Resource } from './resource.ts';
import { createScreen, screensOf } from './screens.ts';
import { styles } from './styles.ts';
import { errorText, skeleton } from './templates.ts';

const announcementMs = 6_000;

/**
 * `<partnerkit-portal>`: API keys, webhooks and deliveries of the account whose session the page has.
 *
 * Attributes: `base-url` (the management API, required), `lang` (`en`, `fr` or a language of `messages`), `messages`
 * (JSON of a further language), `login-url`, `routing="hash"` (the place is the hash of the page's URL), `theme`
 * (`light` or `dark`; without it, that of the system).
 * @internal
 */
export class PartnerkitPortal extends LitElement implements PartnerkitPortalElement {
  static override styles = styles;
  static override properties = {
    baseUrl: { attribute: 'base-url' },
    lang: { reflect: true },
    loginUrl: { attribute: 'login-url' },
    messages: { type: Object },
    routing: {},
    place: { attribute: false },
  };

  declare baseUrl: string;
  declare loginUrl: string | undefined;
  declare messages: Messages | undefined;
  declare routing: string | undefined;
  /** Where the person is. */
  declare place: Place;

  #texts: Texts = createTexts('en');
  #session: Resource<ManagementSession> | undefined;
  #portal: Portal | undefined;
  #screen: Screen | undefined;
  #dialog: Dialog | undefined;
  #announcement = '';
  #announcementTimer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;

  constructor() {
    super();
    this.baseUrl = '';
    this.place = { screen: 'keys' };
  }

  readonly #onHash = (): void => {
    const place = placeOf(location.hash);
    if (place && hashOf(place) !== hashOf(this.place)) this.#move(place);
  };

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.routing === 'hash') {
      addEventListener('hashchange', this.#onHash);
      this.place = placeOf(location.hash) ?? this.place;
    }
    // The host has moved the element.
    if (this.hasUpdated) this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#onHash);
    this.#stop();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('lang') || changed.has('messages') || !this.hasUpdated)
      this.#texts = createTexts(this.lang || navigator.language, this.messages ?? {});
    if (changed.has('baseUrl') || changed.has('lang') || changed.has('messages')) this.#start();
    else if (changed.has('place')) this.#show();
  }

  protected override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
  }

  #stop(): void {
    this.#close();
    this.#screen?.stop();
    this.#session?.stop();
    this.#portal?.endpoints.stop();
    this.#portal?.catalogue.stop();
    this.#screen = undefined;
    this.#portal = undefined;
    this.#session = undefined;
  }

  #start(): void {
    this.#stop();
    this.#isEnded = false;
    this.requestUpdate();
    const api = createApi(this.baseUrl.replace(/\/$/, ''));
    this.#session = new Resource(
      async (signal) => (await api.call<ManagementSession>('GET', ['session'], { signal })).body,
      (error) => {
        this.#onChange(error);
        const { value } = this.#session ?? {};
        if (value && !this.#portal) {
          this.#portal = this.#createPortal(api, value);
          if (this.#portal.can('webhooks', 'read')) {
            this.#portal.endpoints.start();
            this.#portal.catalogue.start();
          }
          this.#show();
        }
      },
    );
    this.#session.start();
  }

  readonly #onChange = (error: ApiError | undefined): void => {
    if (error?.code === 'not_authenticated' && !this.#isEnded) {
      this.#isEnded = true;
      this.#stop();
      this.#emit('partnerkit:session-ended', {});
    }
    this.requestUpdate();
  };

  #createPortal(api: Api, session: ManagementSession): Portal {
    const resource = <T>(read: (signal: AbortSignal) => Promise<T>, every?: number): Resource<T> =>
      new Resource(read, this.#onChange, every);
    const can: Portal['can'] = (part, access) => session.can[part] === 'write' || session.can[part] === access;
    const endpoints = resource<readonly Endpoint[]>((signal) => readAll(api, 'endpoints', signal), 10_000);
    const catalogue = resource<EventCatalogue>(
      async (signal) => (await api.call<EventCatalogue>('GET', ['catalogue'], { signal })).body,
    );
    return {
      api,
      session,
      endpoints,
      catalogue,
      can,
      resource,
      texts: this.#texts,
      update: () => this.requestUpdate(),
      rendered: () => this.updateComplete,
      action: () => new Action(this.#onChange),
      open: (dialog) => {
        this.#close();
        this.#dialog = dialog;
        this.requestUpdate();
      },
      close: () => this.#close(),
      go: (place) => this.#move(place),
      emit: this.#emit,
      announce: (text) => {
        this.#announcement = text;
        clearTimeout(this.#announcementTimer);
        this.#announcementTimer = setTimeout(() => {
          this.#announcement = '';
          this.requestUpdate();
        }, announcementMs);
        this.requestUpdate();
      },
    };
  }

  readonly #emit = <K extends keyof PartnerkitPortalEvents>(name: K, detail: PartnerkitPortalEvents[K]): void => {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  };

  #close(): void {
    const dialog = this.#dialog;
    if (!dialog) return;
    this.#dialog = undefined;
    this.renderRoot.querySelector('dialog')?.close();
    this.requestUpdate();
    dialog.onClose?.();
  }

  #move(place: Place): void {
    this.#close();
    this.place = place;
    if (this.routing === 'hash' && location.hash !== hashOf(place)) history.pushState(null, '', hashOf(place));
    this.#emit('partnerkit:navigate', place);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('h2')?.focus());
  }

  #show(): void {
    const portal = this.#portal;
    if (!portal) return;
    this.#screen?.stop();
    this.#screen = undefined;
    const screens = screensOf(portal);
    const [first] = screens;
    if (first === undefined) return;
    if (!screens.includes(this.place.screen)) this.place = { screen: first };
    this.#screen = createScreen(portal, this.place);
    this.#screen.start();
  }

  #renderDialog(): TemplateResult | typeof nothing {
    const dialog = this.#dialog;
    if (!dialog) return nothing;
    const mayClose = (): boolean => dialog.canClose?.() ?? true;
    return html`<dialog
      part="dialog"
      aria-labelledby="dialog-title"
      @cancel=${(event: Event) => {
        event.preventDefault();
        if (mayClose()) this.#close();
      }}
      @keydown=${(event: KeyboardEvent) => {
        // Browsers close a dialog on the second Escape, whatever its listeners prevent.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (mayClose()) this.#close();
      }}
    >
      <h2 id="dialog-title">${dialog.title}</h2>
      ${dialog.render()}
    </dialog>`;
  }

  #renderEnded(): TemplateResult {
    const { t } = this.#texts;
    return html`<div class="empty" role="alert">
      <h2 tabindex="-1">${t('session.ended')}</h2>
      <p>${t('session.ended-text')}</p>
      ${
        this.loginUrl === undefined
          ? html`<button type="button" class="primary" @click=${() => this.#start()}>${t('retry')}</button>`
          : html`<a class="primary button" href=${this.loginUrl}>${t('session.login')}</a>`
      }
    </div>`;
  }

  #renderContent(): TemplateResult {
    const portal = this.#portal;
    const { t } = this.#texts;
    if (!portal) {
      const { error } = this.#session ?? {};
      if (!error) return skeleton(this.#texts);
      return html`<div class="empty" role="alert">
        <h2 tabindex="-1">${t('session.unknown')}</h2>
        <p>${errorText(this.#texts, error)}</p>
        <button type="button" class="primary" @click=${() => void this.#session?.load()}>${t('retry')}</button>
      </div>`;
    }
    const screens = screensOf(portal);
    if (screens.length === 0)
      return html`<div class="empty"><h2 tabindex="-1">${t('session.nothing')}</h2><p>${t('session.nothing-text')}</p></div>`;
    return html`<nav part="navigation" aria-label=${t('navigation')}>
        ${screens.map(
          (screen) =>
            html`<button
              type="button"
              aria-current=${this.place.screen === screen ? 'page' : nothing}
              @click=${() => this.#move({ screen })}
            >
              ${t(screen)}
            </button>`,
        )}
        ${portal.session.accountName === undefined ? nothing : html`<span class="account">${portal.session.accountName}</span>`}
      </nav>
      <section part="screen" aria-labelledby="screen-title">
        <h2 id="screen-title" tabindex="-1">${this.#screen?.title ?? nothing}</h2>
        ${this.#screen?.render() ?? nothing}
      </section>`;
  }

  override render(): TemplateResult {
    return html`<div class="portal" part="portal" lang=${this.#texts.language}>
      ${this.#isEnded ? this.#renderEnded() : this.#renderContent()} ${this.#renderDialog()}
      <div class=${this.#announcement === '' ? 'toast hidden' : 'toast'} role="status" part="toast">
        ${this.#announcement}
      </div>
    </div>`;
  }
}
