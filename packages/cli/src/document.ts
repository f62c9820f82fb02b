import { CliError } from './cli-error.ts';
import { readJson } from './files.ts';
import { specificationDocument } from './specification-document.ts';

/** The example body of each webhook, by pair. */
export type Examples = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

interface DocumentedWebhook {
  readonly post?: {
    readonly requestBody?: {
      readonly content?: Readonly<Record<string, { readonly example?: Readonly<Record<string, unknown>> }>>;
    };
  };
}

/**
 * The webhooks of an OpenAPI document, or of the specification.
 * @throws CliError when the document has none.
 */
export const readExamples = (path: string | undefined): Examples => {
  const document = (path === undefined ? specificationDocument({ title: 'Partner API' }) : readJson(path)) as {
    readonly openapi?: unknown;
    readonly webhooks?: Readonly<Record<string, DocumentedWebhook>>;
  } | null;
  if (!String(document?.openapi).startsWith('3.1') || typeof document?.webhooks !== 'object')
    throw new CliError(`${path} is not an OpenAPI 3.1 document with webhooks. Write one with "partnerkit openapi".`);
  return new Map(
    Object.entries(document.webhooks).map(([pair, { post }]) => [
      pair,
      post?.requestBody?.content?.['application/json']?.example ?? {},
    ]),
  );
};
