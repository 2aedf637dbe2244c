import { test } from 'vitest';
import './missing';
test('never', () => {});
