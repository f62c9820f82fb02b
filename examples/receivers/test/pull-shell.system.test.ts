import { pullSuite } from './support/pull-suite.ts';

pullSuite({ name: 'shell', needs: ['curl', 'sqlite3'], start: 'exec sh pull.sh' });
