import { pullSuite } from './support/pull-suite.ts';

pullSuite({ name: 'Python', needs: ['python3'], start: 'exec python3 pull.py' });
