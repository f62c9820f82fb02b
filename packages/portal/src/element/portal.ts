import type { TemplateResult } from 'lit';
import type { PartnerkitPortalEvents } from '../../build/element.d.mts';
import type { Action } from './action.ts';
import type { Api } from './api.ts';
import type { Texts } from './i18n.ts';
import type { components } from './management-api.ts';
import type { Resource } from './resource.ts';

type Schemas = components['schemas'];
export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = Schemas['NewApiKey'];
export type Attempt = Schemas['Attempt'];
export type AttemptCounts = Schemas['AttemptCounts'];
export type Delivery = Schemas['Delivery'];
export type Endpoint = Schemas['Endpoint'];
export type EventCatalogue = Schemas['EventCatalogue'];
export type Explanation = Schemas['Explanation'];
export type ManagementSession = Schemas['ManagementSession'];
export type NewWebhookSecret = Schemas['NewWebhookSecret'];
/** An event of a list, without its body. @internal */
export type PublishedEvent = Schemas['ListedEvent'];
export type EventWithBody = Schemas['Event'];

/** Where a person is. @internal */
export interface Place {
  readonly screen: 'keys' | 'webhooks' | 'activity';
  /** An endpoint, or `new`. */
  readonly id?: string;
  /** The form of the endpoint. */
  readonly isEditing?: boolean;
  /** Filters. */
  readonly filter?: Readonly<Record<string, string>>;
}

/**
 * A part of the interface with its own data. It reads nothing while it is made: whoever shows it starts it.
 * @internal
 */
export interface Screen {
  /** The text of its heading. */
  readonly title: string;
  render(): TemplateResult;
  /** Begins to read its data. */
  start(): void;
  /** Ends what it reads. */
  stop(): void;
}

/** What is shown above everything else until it is closed. @internal */
export interface Dialog {
  readonly title: string;
  render(): TemplateResult;
  /** Whether it may be closed now. `false` for a secret that nobody has confirmed to have stored. @defaultValue yes */
  canClose?(): boolean;
  /** Forgets what it shows. */
  onClose?(): void;
}

/** What screens and dialogs use. @internal */
export interface Portal {
  readonly api: Api;
  readonly texts: Texts;
  readonly session: ManagementSession;
  /** The endpoints of the account; screens share them. */
  readonly endpoints: Resource<readonly Endpoint[]>;
  readonly catalogue: Resource<EventCatalogue>;
  /** Whether the session has a right. */
  can(part: 'keys' | 'webhooks' | 'deliveries', access: 'read' | 'write'): boolean;
  /** Renders again. */
  update(): void;
  /** Resolves when all is rendered. */
  rendered(): Promise<unknown>;
  action(): Action;
  resource<T>(read: (signal: AbortSignal) => Promise<T>, every?: number): Resource<T>;
  open(dialog: Dialog): void;
  close(): void;
  go(place: Place): void;
  emit<K extends keyof PartnerkitPortalEvents>(name: K, detail: PartnerkitPortalEvents[K]): void;
  /** Says something to a person who cannot see it. */
  announce(text: string): void;
}
