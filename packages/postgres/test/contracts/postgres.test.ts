import { inject } from 'vitest';
import { storageSuites } from './storage-suites.ts';

storageSuites(inject('postgres'));
