import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { RequestAbandoned } from '../core-banking/guarded-reads.js';
import { coreSignal } from './core-context.js';
import { RequestContext } from './request-context.js';

const deadlineMs = 3_000;

class Exchange {
  private readonly response = Object.assign(new EventEmitter(), { writableEnded: false, destroyed: false });
  private readonly context = new RequestContext('id', this.response as unknown as ServerResponse, false);

  signal(): AbortSignal {
    return coreSignal(this.context, deadlineMs);
  }
  answered(): void {
    this.response.writableEnded = true;
    this.response.emit('close');
  }
  abandoned(): void {
    this.response.destroyed = true;
    this.response.emit('close');
  }
}

describe('the signal of a request', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is one for all its reads', () => {
    const exchange = new Exchange();
    expect(exchange.signal()).toBe(exchange.signal());
    exchange.answered();
  });

  it('ends them at the deadline, not before', () => {
    const exchange = new Exchange();
    const signal = exchange.signal();
    jest.advanceTimersByTime(deadlineMs - 1);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
    exchange.answered();
  });

  it('ends them when the TPP has gone', () => {
    const exchange = new Exchange();
    const signal = exchange.signal();
    exchange.abandoned();
    expect(signal.reason).toBeInstanceOf(RequestAbandoned);
  });

  it('has ended where the TPP had gone before the first read', () => {
    const exchange = new Exchange();
    exchange.abandoned();
    expect(exchange.signal().reason).toBeInstanceOf(RequestAbandoned);
  });

  it('is never that of two requests at a time', () => {
    const exchanges = Array.from({ length: 5 }, () => new Exchange());
    expect(new Set(exchanges.map((exchange) => exchange.signal())).size).toBe(5);
    for (const exchange of exchanges) exchange.answered();
  });
});
