import type { TemplateResult } from 'lit';
import type { PartnerkitPortalEvents } from '../../build/element.d.mts';
import type { Api, ApiError } from './api.ts';
import type { Texts } from './i18n.ts';
import type { components } from './management-api.ts';
import type { Place } from './place.ts';
import type { InputSchema } from './requests/input-fields.ts';

type Schemas = components['schemas'];
export type AlertSettings = Schemas['AlertSettings'];
export type ApiKey = Schemas['ApiKey'];
export type ApiKeyChange = Schemas['ApiKeyChange'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type NewApiKey = Schemas['NewApiKey'];
export type AuditEntry = Schemas['AuditEntry'];
export type Attempt = Schemas['Attempt'];
export type Delivery = Schemas['Delivery'];
export type Endpoint = Schemas['Endpoint'];
export type EndpointStatistics = Schemas['EndpointStatistics'];
export type EventCatalogue = Schemas['EventCatalogue'];
export type Explanation = Schemas['Explanation'];
export type ManagementSession = Schemas['ManagementSession'];
export type SendingPause = Schemas['SendingPause'];
export type PaymentRequest = Schemas['PaymentRequest'];
export type SecurityDeposit = Schemas['SecurityDeposit'];
export type CashOut = Schemas['CashOut'];
/** A command that was given on a request. @internal */
export type HistoryEntry = Schemas['HistoryEntry'];
/** A command that the state of a request allows. @internal */
export type PossibleCommand = Omit<Schemas['PossibleCommand'], 'input'> & { readonly input: InputSchema };
export type NewEndpoint = Schemas['NewEndpoint'];
export type NewWebhookSecret = Schemas['NewWebhookSecret'];
/** An event of a list, without its body. @internal */
export type PublishedEvent = Schemas['ListedEvent'];
export type EventWithBody = Schemas['Event'];

/** The dialogs. Their code is loaded when one is opened. @internal */
export interface Dialogs {
  addKey(onDone: () => void): TemplateResult;
  changeKey(key: ApiKey, onDone: () => void): TemplateResult;
  rotateKey(key: ApiKey, onDone: () => void): TemplateResult;
  replay(endpoint: Endpoint, onDone: () => void): TemplateResult;
  rotateWebhook(endpoint: Endpoint, onDone: () => void): TemplateResult;
  webhookSecret(made: NewWebhookSecret, onDone: () => void): TemplateResult;
  test(endpoint: Endpoint, onDone: () => void): TemplateResult;
}

/** What screens and dialogs use. @internal */
export interface Portal {
  readonly api: Api;
  readonly texts: Texts;
  readonly session: ManagementSession;
  /** The partner API, as a person types it. */
  readonly apiUrl: string;
  /** The last answers by name, so that a screen that is opened again shows them at once. Never secrets. */
  readonly cache: Map<string, unknown>;
  /** Whether the session has a right. */
  can(part: keyof ManagementSession['can'], access: 'read' | 'write'): boolean;
  /** Learns how a call went: the session may have ended. */
  report(error: ApiError | undefined): void;
  /** Shows a dialog. The one before it is closed. */
  open(dialog: TemplateResult): void;
  /** Shows a dialog, once its code is loaded. */
  openLater(dialog: (dialogs: Dialogs) => TemplateResult): void;
  /** Ends the dialog that is shown. */
  close(): void;
  /** The address of a place. */
  hrefOf(place: Place): string;
  go(place: Place): void;
  /** Keeps a change of the place in the address, without leaving the screen. */
  keep(place: Place): void;
  /** A screen has its heading: the focus follows a person who came here by a link. */
  arrived(heading: HTMLElement | null): void;
  emit<K extends keyof PartnerkitPortalEvents>(name: K, detail: PartnerkitPortalEvents[K]): void;
  /** Says something in a toast. */
  announce(text: string): void;
}
