// Writes the types of the partner API that packages/client exports, from the document of the specification.
import { specificationDocument } from '../packages/cli/src/specification-document.ts';
import { writeTypes } from './openapi-types.mjs';

const { paths, ...document } = specificationDocument({ title: 'Partner API' });
const partnerPaths = Object.entries(paths).filter(([path]) => !path.startsWith('/.well-known/'));
await writeTypes(
  { ...document, paths: Object.fromEntries(partnerPaths) },
  { target: 'packages/client/src/partner-api.ts', command: 'pnpm run client:types' },
);
