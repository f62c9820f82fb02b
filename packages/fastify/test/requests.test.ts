import { requestsHttpSuite } from '@partnerkit/testing';
import { test } from 'vitest';
import { serve } from './support/serve.ts';

requestsHttpSuite({ test, start: serve });
