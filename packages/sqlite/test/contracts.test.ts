import { allStores, describeContracts } from './support/contracts.ts';

describeContracts(allStores);
