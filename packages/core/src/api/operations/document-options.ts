import type { Route } from '../../base/http/route.ts';
import {
  anything,
  assertOptions,
  booleanOption,
  every,
  exactly,
  listOf,
  must,
  type OptionRules,
  optional,
  text as textRule,
  withMembers,
} from '../../base/runtime/option-rules.ts';
import type { DurationMs } from '../../base/runtime/time.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import type { WireProfiles } from '../../webhooks/signature/wire-profile.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Options of `kit.openApi`.
 * @public
 */
export interface OpenApiOptions {
  /** Title of the API. */
  readonly title: string;
  /** Version of the document. @defaultValue '1.0.0' */
  readonly version?: string;
  /**
   * Introduction, in Markdown: a text, or a function that gets the introduction of the kit.
   * @defaultValue the introduction of the kit: login, accounts, repeated requests, versions, lists, errors, webhooks
   * @example (introduction) => `${introduction}\n\n## Support\n\nWrite to api@platform.example.`
   */
  readonly description?: string | ((introduction: string) => string);
  /** Further members of `info`, such as `contact`, `license` and `termsOfService`. @defaultValue none */
  readonly info?: Readonly<Record<string, unknown>>;
  /** Addresses of the API. The first one leads to the token endpoint. @defaultValue the origin of the document */
  readonly servers?: readonly {
    /** Scheme and host, such as `https://api.platform.example`. */
    readonly url: string;
    /** What the server is for. */
    readonly description?: string;
  }[];
  /** The routes to describe. @defaultValue `kit.routes` */
  readonly routes?: readonly Route[];
  /** Name of the host's session cookie, with which the management API is called. @defaultValue 'session' */
  readonly sessionCookie?: string;
  /** Whether to describe the webhooks. @defaultValue true */
  readonly webhooks?: boolean;
  /** The wire profile whose webhooks are described. @defaultValue that of endpoints without a profile */
  readonly profile?: string;
}

/**
 * An OpenAPI 3.1 document, as an object to write as JSON.
 * @public
 */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly Readonly<Record<string, unknown>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, object>>;
  };
}

/** What the document is written from. */
export interface OpenApiDeps {
  readonly objects: readonly ObjectDefinition[];
  readonly basePath: string;
  readonly routes: readonly Route[];
  readonly profiles: Pick<WireProfiles, 'of'>;
  /** The delay after each failed attempt. */
  readonly retrySchedule: readonly DurationMs[];
}

const textOption = optional(textRule());
const server = every(
  must("must be an object: { url: 'https://api.platform.example' }.", (value) => Object(value) === value),
  withMembers({ url: textRule("must be a text, such as 'https://api.platform.example'.") }),
);
const optionsRule = exactly({
  title: textRule(),
  ...{ version: textOption, sessionCookie: textOption, profile: textOption },
  description: optional(
    must('must be a text, or a function of the introduction.', (value) =>
      ['string', 'function'].includes(typeof value),
    ),
  ),
  info: optional(withMembers({})),
  servers: optional(listOf(server, 'must be a list of objects with a url.')),
  routes: optional(listOf(anything, 'must be a list, such as kit.routes.')),
  webhooks: optional(booleanOption),
} satisfies OptionRules<keyof OpenApiOptions>);

/** @throws TypeError that names each wrong option. */
export const assertDocumentOptions = (options: OpenApiOptions): void => assertOptions('openApi', optionsRule, options);
