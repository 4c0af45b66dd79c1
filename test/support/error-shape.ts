import { expect } from '@jest/globals';
import type { Answer } from './stack.js';

export const anyUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The explanation of an error: its part of the page of the errors. */
export const helpUrl: unknown = expect.stringMatching(/^https?:\/\/[^/]+\/docs\/errors#[a-z-]+$/);

interface ExpectedError {
  /** Absent in an error of no version, and of v4.0. */
  readonly Code?: string;
  readonly ErrorCode: string;
  readonly Path?: string;
}

/** The parts of an answer that a TPP's program reads; `undefined` stands for an empty body. */
export function told({ status, body, json }: Pick<Answer, 'status' | 'body' | 'json'>): [number, ...string[]] {
  if (body === '') return [status];
  if (status < 400) return [status, ...Object.keys(json.Data)];
  return [
    status,
    ...(json.Code === undefined ? [] : [json.Code]),
    ...json.Errors.flatMap(({ ErrorCode, Path }: ExpectedError) => [ErrorCode, Path ?? '']),
  ];
}

/** The complete body of an error with one error and nothing else. */
export function oneError({ Code, ErrorCode, Path }: ExpectedError): unknown {
  return {
    ...(Code === undefined ? {} : { Code }),
    Id: expect.stringMatching(anyUuid),
    Message: expect.any(String),
    Errors: [{ ErrorCode, Message: expect.any(String), ...(Path === undefined ? {} : { Path }), Url: helpUrl }],
  };
}
