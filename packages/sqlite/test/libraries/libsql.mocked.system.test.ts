import { describeContractsWith } from '../support/library-suite.ts';

describeContractsWith('libsql');
