import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { PartnerkitPortalElement, PartnerkitPortalEvents } from '../../build/element.d.mts';
import { type Api, type ApiError, createApi } from './api.ts';
import { createTexts, languageOf, type Messages, type Texts } from './i18n.ts';
import { languages, laterScreens, loadDialogs } from './later.ts';
import { heading } from './parts/heading.ts';
import { link } from './parts/link.ts';
import { errorText, notice, skeleton } from './parts/notice.ts';
import { Resource } from './parts/resource.ts';
import { styles } from './parts/styles.ts';
import { hashOf, type Place, placeOf, type ScreenName, screenNames } from './place.ts';
import type { ManagementSession, Portal } from './portal.ts';
import { screen as home } from './screens/home.ts';

type ShowScreen = (portal: Portal, place: Place) => TemplateResult;

const announcementMs = 6_000;

/** The right that a screen needs. */
const rights = {
  requests: 'requests',
  webhooks: 'webhooks',
  deliveries: 'deliveries',
  events: 'webhooks',
  keys: 'keys',
  audit: 'audit',
  verify: 'webhooks',
} as const;

/** Whether a session may see a screen. Home has something for everybody who has a right. */
const isOpen = ({ can }: Portal, name: ScreenName): boolean =>
  name === 'home'
    ? screenNames.some((each) => each !== 'home' && can(rights[each], 'read'))
    : can(rights[name], 'read');

/**
 * `<partnerkit-portal>`: API keys, webhooks and deliveries of the account whose session the page has. Its attributes
 * are those of `PartnerkitPortalProps`.
 * @internal
 */
export class PartnerkitPortal extends LitElement implements PartnerkitPortalElement {
  static override styles = styles;
  static override properties = {
    baseUrl: { attribute: 'base-url' },
    apiUrl: { attribute: 'api-url' },
    lang: { reflect: true },
    loginUrl: { attribute: 'login-url' },
    messages: { type: Object },
    routing: {},
    place: { attribute: false },
  };

  declare baseUrl: string;
  declare apiUrl: string | undefined;
  declare loginUrl: string | undefined;
  declare messages: Messages | undefined;
  declare routing: string | undefined;
  /** Where the person is. */
  declare place: Place;

  #texts: Texts | undefined;
  #session: Resource<ManagementSession> | undefined;
  #portal: Portal | undefined;
  #show: ShowScreen | undefined;
  #isScreenMissing = false;
  /** Tells a visit of a place from the next one. */
  #visit = 0;
  #shownVisit = 0;
  #shownPlace: Place;
  #hasMoved = false;
  #dialog: TemplateResult | undefined;
  #announcement = '';
  #announcementTimer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;

  constructor() {
    super();
    this.baseUrl = '';
    this.place = { screen: 'home' };
    this.#shownPlace = this.place;
  }

  get #isRouting(): boolean {
    return this.routing !== 'none';
  }

  readonly #onHash = (): void => {
    const place = placeOf(location.hash) ?? (location.hash === '' ? { screen: 'home' as const } : undefined);
    if (place && hashOf(place) !== hashOf(this.place)) this.#move(place);
  };

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#isRouting) {
      addEventListener('hashchange', this.#onHash);
      this.place = placeOf(location.hash) ?? this.place;
    }
    // The host has moved the element.
    if (this.hasUpdated) void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#onHash);
    this.#stop();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (['baseUrl', 'apiUrl', 'lang', 'messages'].some((name) => changed.has(name))) void this.#start();
  }

  #stop(): void {
    this.#dialog = undefined;
    this.#session?.hostDisconnected();
    this.#portal = undefined;
    this.#session = undefined;
    this.#show = undefined;
  }

  async #start(): Promise<void> {
    this.#stop();
    this.#isEnded = false;
    const api = createApi(this.baseUrl.replace(/\/$/, ''));
    const session = new Resource<ManagementSession>(
      {
        addController: () => undefined,
        requestUpdate: () => {
          if (session === this.#session) this.#enter(api);
        },
        portal: { api, cache: new Map(), report: this.#report },
      },
      { read: async (_api, signal) => (await api.call<ManagementSession>('GET', ['session'], { signal })).body },
    );
    this.#session = session;
    const texts = await this.#loadTexts();
    if (session !== this.#session) return;
    this.#texts = texts;
    this.requestUpdate();
    session.hostConnected();
  }

  async #loadTexts(): Promise<Texts> {
    const wanted = this.lang || navigator.language;
    // Without its file, English stands in.
    const loaded = await languages[languageOf(wanted)]?.().catch(() => undefined);
    return createTexts(wanted, { ...loaded?.default, ...this.messages }, navigator.languages);
  }

  /** Shows the screens, once the session is known. */
  #enter(api: Api): void {
    const { value } = this.#session ?? {};
    if (value && !this.#portal && this.#texts) {
      this.#portal = this.#createPortal(api, value, this.#texts);
      void this.#load();
    }
    this.requestUpdate();
  }

  readonly #report = (error: ApiError | undefined): void => {
    if (error?.code !== 'not_authenticated' || this.#isEnded) return;
    this.#isEnded = true;
    this.#stop();
    this.#emit('partnerkit:session-ended', {});
    this.requestUpdate();
  };

  #createPortal(api: Api, session: ManagementSession, texts: Texts): Portal {
    const portal: Portal = {
      api,
      session,
      texts,
      apiUrl: (this.apiUrl ?? `${location.origin}/api/v1/partner`).replace(/\/$/, ''),
      cache: new Map(),
      can: (part, access) => session.can[part] === 'write' || session.can[part] === access,
      report: this.#report,
      open: (dialog) => {
        this.#close();
        this.#dialog = dialog;
        this.requestUpdate();
      },
      openLater: (dialog) => {
        loadDialogs().then(
          ({ createDialogs }) => {
            if (portal === this.#portal) portal.open(dialog(createDialogs(portal)));
          },
          () => portal.announce(texts.t('screen.missing')),
        );
      },
      close: () => this.#close(),
      hrefOf: (place) => `${location.pathname}${location.search}${hashOf(place)}`,
      go: (place) => this.#move(place),
      keep: (place) => {
        this.place = place;
        if (this.#isRouting) history.replaceState(null, '', hashOf(place));
      },
      arrived: (heading) => {
        if (this.#hasMoved) heading?.focus();
        this.#hasMoved = false;
      },
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
    return portal;
  }

  readonly #emit = <K extends keyof PartnerkitPortalEvents>(name: K, detail: PartnerkitPortalEvents[K]): void => {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  };

  #close(): void {
    if (!this.#dialog) return;
    // The browser gives the focus back to where it was.
    this.renderRoot.querySelector('dialog')?.close();
    this.#dialog = undefined;
    this.requestUpdate();
  }

  #move(place: Place): void {
    this.#close();
    this.place = place;
    this.#hasMoved = true;
    if (this.#isRouting && location.hash !== hashOf(place)) history.pushState(null, '', hashOf(place));
    this.#emit('partnerkit:navigate', place);
    void this.#load();
  }

  /** Loads the code of the screen. */
  async #load(): Promise<void> {
    this.#visit += 1;
    const visit = this.#visit;
    const { screen } = this.place;
    this.#isScreenMissing = false;
    let show: ShowScreen | undefined = home;
    if (screen !== 'home')
      show = await laterScreens[screen]().then(
        (loaded) => loaded.screen,
        () => undefined,
      );
    if (visit !== this.#visit) return;
    this.#show = show;
    this.#shownVisit = visit;
    this.#shownPlace = this.place;
    this.#isScreenMissing = show === undefined;
    this.requestUpdate();
  }

  #renderEnded({ t }: Texts): TemplateResult {
    const again =
      this.loginUrl === undefined
        ? html`<button type="button" class="primary" part="button primary" @click=${() => void this.#start()}>
            ${t('retry')}
          </button>`
        : html`<a class="primary button" part="button primary" href=${this.loginUrl}>${t('session.login')}</a>`;
    return html`<div class="empty" part="empty" role="alert">
      <h2 tabindex="-1">${t('session.ended')}</h2>
      <p>${t('session.ended-text')}</p>
      ${again}
    </div>`;
  }

  #renderScreen(portal: Portal): TemplateResult {
    const { t } = portal.texts;
    if (!isOpen(portal, this.#shownPlace.screen))
      return html`${heading(portal, t('screen.no-right'))}<p class="muted">${t('session.nothing-text')}</p>`;
    if (this.#isScreenMissing)
      return notice(
        'error',
        t('screen.missing'),
        html`<button type="button" @click=${() => location.reload()}>${t('screen.reload')}</button>`,
      );
    return this.#show ? html`${keyed(this.#shownVisit, this.#show(portal, this.#shownPlace))}` : skeleton(portal.texts);
  }

  #renderContent(texts: Texts): TemplateResult {
    const portal = this.#portal;
    const { t } = texts;
    if (!portal) {
      const { error } = this.#session ?? {};
      if (!error) return skeleton(texts);
      return html`<div class="empty" part="empty" role="alert">
        <h2 tabindex="-1">${t('session.unknown')}</h2>
        <p>${errorText(texts, error)}</p>
        <button type="button" class="primary" @click=${() => void this.#session?.load()}>${t('retry')}</button>
      </div>`;
    }
    const screens = screenNames.filter((name) => isOpen(portal, name));
    if (screens.length === 0)
      return html`<div class="empty" part="empty">
        <h2 tabindex="-1">${t('session.nothing')}</h2>
        <p>${t('session.nothing-text')}</p>
      </div>`;
    return html`<nav class="navigation" part="navigation" aria-label=${t('navigation')}>
        <span class="brand" part="brand"></span>
        ${screens.map((screen) => link(portal, { screen }, t(screen), { isCurrent: this.place.screen === screen }))}
        ${portal.session.accountName === undefined ? nothing : html`<span class="account">${portal.session.accountName}</span>`}
      </nav>
      <section part="screen" class="screen" aria-labelledby="screen-title">${this.#renderScreen(portal)}</section>`;
  }

  override render(): TemplateResult {
    const texts = this.#texts;
    // What the host has written inside, until the language is there.
    if (!texts) return html`<slot></slot>`;
    return html`<div class="portal" part="portal" lang=${texts.language}>
      ${this.#isEnded ? this.#renderEnded(texts) : this.#renderContent(texts)}
      ${this.#dialog ? keyed(this.#dialog, this.#dialog) : nothing}
      <div class=${this.#announcement === '' ? 'toast hidden' : 'toast'} role="status" part="toast">
        ${this.#announcement}
      </div>
    </div>`;
  }
}
