import { describeContractsWith } from '../support/library-suite.ts';

describeContractsWith('better-sqlite3');
