import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LogSampler } from '../../../src/http/replies/log-sampler.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('admits a limited number of lines in each window, and reports how many it omitted', () => {
  const report = vi.fn();
  const sampler = new LogSampler({ lines: 3, window: 1000 }, report);
  const admitted = () => Array.from({ length: 10 }, () => sampler.admits()).filter(Boolean).length;
  expect(admitted()).toBe(3);
  vi.advanceTimersByTime(1000);
  expect(report).toHaveBeenCalledExactlyOnceWith(7);
  expect(admitted()).toBe(3);
});

test('reports nothing when it has omitted nothing, and has no timer then', () => {
  const report = vi.fn();
  const sampler = new LogSampler({ lines: 3, window: 1000 }, report);
  sampler.admits();
  vi.advanceTimersByTime(1000);
  expect(report).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
