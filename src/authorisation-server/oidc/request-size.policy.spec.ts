import { describe, expect, it } from '@jest/globals';
import { objectSizeFault, sizeFault } from './request-size.policy.js';

describe('the size of an authorization request', () => {
  it.each(['state', 'nonce'])('has a limit for %s alone, in bytes', (name) => {
    const fault = `${name} must have at most 1024 bytes`;
    expect(sizeFault({ [name]: 'a'.repeat(1_024) })).toBeUndefined();
    expect(sizeFault({ [name]: 'a'.repeat(1_025) })).toBe(fault);
    expect(sizeFault({ [name]: 'é'.repeat(512) })).toBeUndefined();
    expect(sizeFault({ [name]: 'é'.repeat(513) })).toBe(fault);
  });

  it('has a limit for all parameters together, also for one that comes several times', () => {
    const fault = 'the parameters of the request must have at most 16384 bytes';
    expect(sizeFault({ claims: 'a'.repeat(16_000), scope: 'b'.repeat(384), prompt: undefined })).toBeUndefined();
    expect(sizeFault({ claims: 'a'.repeat(16_000), scope: 'b'.repeat(385) })).toBe(fault);
    expect(sizeFault({ resource: ['a'.repeat(8_192), 'b'.repeat(8_193)] })).toBe(fault);
  });

  it('has a limit for a request object', () => {
    expect([undefined, 'a'.repeat(16_384)].map(objectSizeFault)).toEqual([undefined, undefined]);
    expect(objectSizeFault('a'.repeat(16_385))).toBe('the request object must have at most 16384 bytes');
  });
});
