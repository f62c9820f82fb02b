import { describeLibrary } from '../support/library-suite.ts';

describeLibrary('libsql');
