import { describeLibrary } from '../support/library-suite.ts';

describeLibrary('better-sqlite3');
