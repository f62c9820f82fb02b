import { managementHttpSuite } from '@partnerkit/testing/http-suite';
import { test } from 'vitest';
import { serve } from './support/serve.ts';

managementHttpSuite({ test, start: serve });
