import { requestsHttpSuite } from '@partnerkit/testing/http-suite';
import { test } from 'vitest';
import { serve } from './serve.ts';

requestsHttpSuite({ test, start: serve });
