// The sentences of pages whose numbers are facts of the code. The code writes each; a page says it.
import { access } from './access.mjs';
import { delivery } from './delivery.mjs';
import { ofPackages } from './packages.mjs';
import { requests } from './requests.mjs';

export { measuredPlaces, others } from './others.mjs';
export const facts = [...access, ...delivery, ...ofPackages, ...requests];
