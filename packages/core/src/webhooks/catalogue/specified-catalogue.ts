import { type Catalogue, createCatalogue } from './catalogue.ts';
import { entriesOf } from './entries.ts';
import { type SpecifiedPairs, specification } from './specification.ts';

/** The catalogue of the specification (§6.2 to §6.4): 4 object names, 23 event types, 32 pairs. */
export const specifiedCatalogue: Catalogue<SpecifiedPairs> = createCatalogue(
  Object.entries(specification).flatMap(([objectName, types]) => entriesOf(objectName, Object.entries(types))),
);
