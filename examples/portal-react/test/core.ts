// What the portal's element takes of core's entry for adapters, in the place of the whole entry.
export { pathSegment } from '../../../packages/core/src/base/http/path-segment.ts';
export { specificationSnippets } from '../../../packages/core/src/webhooks/signature/snippets/verify-snippets.ts';
